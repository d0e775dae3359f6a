import type { RawInput } from "../../src/Providers/Provider.ts"
import { fakeProvider } from "./FakeProvider.ts"

export interface Row {
  readonly keys?: ReadonlyArray<string>
  readonly clicks?: number
  readonly impressions?: number
  readonly ctr?: number
  readonly position?: number
}

export const bodyOf = ({ body }: RawInput) => Object(body)

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
