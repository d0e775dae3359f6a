import { Schema } from "effect"
import { Issue } from "../../Domain/Issue.ts"
import type { ServiceError } from "../Service/Service.ts"

const isIssues = Schema.is(Schema.Array(Issue))

/** The issues of an `invalid_input`, by path: `input.body.requests.0`. */
export const mistakesOf = (error: ServiceError | null): ReadonlyMap<string, string> =>
  new Map(
    error?.code === "invalid_input" && isIssues(error.details)
      ? error.details.map(({ message, path }) => [path.join("."), message])
      : []
  )
