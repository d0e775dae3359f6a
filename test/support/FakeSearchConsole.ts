import { Schema } from "effect"
import type { RawInput } from "../../src/Providers/Provider.ts"
import { fakeProvider } from "./FakeProvider.ts"

export interface Row {
  readonly keys?: ReadonlyArray<string>
  readonly clicks?: number
  readonly impressions?: number
  readonly ctr?: number
  readonly position?: number
}

const Body = Schema.Struct({
  startDate: Schema.String,
  endDate: Schema.String,
  type: Schema.String,
  dataState: Schema.String,
  dimensions: Schema.optionalKey(Schema.Array(Schema.String)),
  rowLimit: Schema.Int,
  startRow: Schema.optionalKey(Schema.Int),
  dimensionFilterGroups: Schema.Array(Schema.Unknown)
})
export const bodyOf = (input: RawInput) => Schema.decodeUnknownSync(Body)(input.body)

export const fakeSearchConsole = (
  tables: Readonly<Record<string, ReadonlyArray<Row>>>,
  sites: ReadonlyArray<unknown> = []
) =>
  fakeProvider((endpoint, input) => {
    if (endpoint === "sites.list") return { siteEntry: sites }
    const { dimensions = [], rowLimit, startRow = 0 } = bodyOf(input)
    const rows = (tables[dimensions.join()] ?? []).slice(startRow, startRow + rowLimit)
    return { responseAggregationType: "byProperty", ...(rows.length === 0 ? {} : { rows }) }
  })

export const queries = (count: number): ReadonlyArray<Row> =>
  Array.from({ length: count }, (_, index) => ({
    keys: [`q${index}`],
    clicks: count - index,
    impressions: 1000,
    ctr: (count - index) / 1000,
    position: 3
  }))
