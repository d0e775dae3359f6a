import { Effect } from "effect"
import { parquetReadObjects } from "hyparquet"
import type { NewDataset } from "../../../src/Features/Datasets/Declared.ts"
import { addDays, pacificTime, today } from "../../../src/Providers/Tooling/DateWindow.ts"
import { eventually } from "../../support/Eventually.ts"
import { LoopbackUpstream, type Recorded } from "../../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../../support/TestServer.ts"

export interface SearchRow {
  readonly query: string
  readonly page: string
  readonly country: string
  readonly device: string
  readonly clicks: number
  readonly impressions: number
  readonly position: number
}

type Dimension = "query" | "page" | "country" | "device" | "date"

interface Body {
  readonly startDate: string
  readonly endDate: string
  readonly dimensions: ReadonlyArray<Dimension>
  readonly rowLimit: number
  readonly startRow: number
  readonly dimensionFilterGroups?: ReadonlyArray<
    { readonly filters: ReadonlyArray<{ dimension: Dimension; operator: string; expression: string }> }
  >
}

const cap = 50_000

/** Search Console with one property, which gives at most 50,000 rows for a day and filter, those with most clicks. */
export const answerSearches = (rowsOf: (day: string) => ReadonlyArray<SearchRow>) => {
  // The second page has the rest of the first one's rows.
  let last: { readonly key: string; readonly rows: ReturnType<typeof groupedRows> } = { key: "", rows: [] }
  return ({ body }: Recorded) => {
    const { rowLimit, startRow, ...asked }: Body = JSON.parse(body)
    const key = JSON.stringify(asked)
    if (last.key !== key) last = { key, rows: groupedRows(asked, rowsOf) }
    const rows = last.rows.slice(startRow, startRow + rowLimit)
    return { body: { responseAggregationType: "byProperty", ...rows.length === 0 ? {} : { rows } } }
  }
}

const groupedRows = (asked: Omit<Body, "rowLimit" | "startRow">, rowsOf: (day: string) => ReadonlyArray<SearchRow>) => {
  const filters = asked.dimensionFilterGroups?.flatMap(({ filters }) => filters) ?? []
  const groups = new Map<string, { keys: Array<string>; clicks: number; impressions: number; positions: number }>()
  for (let day = asked.startDate; day <= asked.endDate; day = addDays(day, 1)) {
    for (const row of rowsOf(day)) {
      const fields = { ...row, date: day }
      const isMatch = filters.every(({ dimension, expression, operator }) =>
        (fields[dimension] === expression) === (operator === "equals")
      )
      if (!isMatch) continue
      const keys = asked.dimensions.map((dimension) => fields[dimension])
      const key = keys.join("\n")
      const group = groups.get(key) ?? { keys, clicks: 0, impressions: 0, positions: 0 }
      groups.set(key, group)
      group.clicks += row.clicks
      group.impressions += row.impressions
      group.positions += row.position * row.impressions
    }
  }
  return [...groups.values()].toSorted((one, other) => other.clicks - one.clicks).slice(0, cap).map((
    { clicks, impressions, keys, positions }
  ) => ({ keys, clicks, impressions, ctr: clicks / impressions, position: positions / impressions }))
}

/** Three rows, whose figures say which day they are of. */
export const fewRows = (day: string): ReadonlyArray<SearchRow> =>
  [1, 2, 3].map((index) => ({
    query: `query ${index}`,
    page: `https://acme.com/${index}`,
    country: "usa",
    device: "MOBILE",
    clicks: index,
    impressions: Date.parse(day) / 86_400_000 + index,
    position: index
  }))

export const acme = { report: "gsc.searchanalytics", resource: "gsc:sc-domain:acme.com", schedule: "daily" } as const

/** Asks until the dataset has one of the statuses. */
export const settled = (id: string, ...statuses: ReadonlyArray<string>) =>
  Effect.flatMap(TestServer, ({ admin }) =>
    eventually(
      Effect.orDie(admin.datasets.get({ params: { id } })),
      ({ status }) => statuses.length === 0 ? status !== "running" : statuses.includes(status)
    ))

export const completed = Effect.fnUntraced(function*(payload: NewDataset) {
  const { admin } = yield* TestServer
  const { id } = yield* admin.datasets.create({ payload })
  return yield* settled(id)
})

export const daysAgo = (days: number) => Effect.map(today(pacificTime), (day) => addDays(day, -days))

/** A dataset of the days so far, with three rows of each. */
export const madeSince = Effect.fnUntraced(function*(days: number, more: Partial<NewDataset> = {}) {
  const { admin } = yield* TestServer
  yield* play(answerSearches(fewRows))
  const { connection } = yield* seed()
  const since = yield* daysAgo(days)
  const dataset = yield* completed({ ...acme, connection_id: connection.id, since, ...more })
  const params = { id: dataset.id }
  const resume = admin.datasets.change({ params, payload: { paused: false } })
  return { admin, connection, since, dataset, id: dataset.id, params, resume }
})

/** The rows of a day's file, over HTTP. */
export const rowsOf = Effect.fnUntraced(function*(id: string, day: string) {
  const { adminToken, url } = yield* TestServer
  return yield* Effect.promise(async () => {
    const response = await fetch(`${url}/admin/v1/datasets/${id}/files/day=${day}/data.parquet`, {
      headers: { authorization: `Bearer ${adminToken}` }
    })
    return response.status === 200 ? await parquetReadObjects({ file: await response.arrayBuffer() }) : undefined
  })
})

export const isSearch = ({ url }: Recorded): boolean => url.includes("/searchAnalytics/")

export const play = (handler: (request: Recorded) => { readonly status?: number; readonly body?: unknown }) =>
  Effect.map(LoopbackUpstream, (upstream) => {
    // Webhooks and revoked tokens arrive here too.
    upstream.handle((request) => isSearch(request) ? handler(request) : { status: 204 })
    return upstream
  })
