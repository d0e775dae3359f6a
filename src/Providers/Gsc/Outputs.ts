import { Schema } from "effect"
import { Integer } from "../Tooling/Integer.ts"

const Day = Schema.String.annotate({ description: "`YYYY-MM-DD`." })

export const windowFields = { site: Schema.String, start: Day, end: Day }

export const Ctr = Schema.NullOr(Schema.Finite).annotate({ description: "A fraction: 0.05 is 5 %." })

export const figureFields = {
  clicks: Integer,
  impressions: Integer,
  ctr: Ctr,
  position: Schema.NullOr(Schema.Finite).annotate({ description: "An average. 1 is the highest." })
}
