const small = "sc-domain:example.com"
const unchanged = "sc-domain:settled.example.com"
const large = "sc-domain:large.example.com"
const sheet = "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms"
const range = "Sheet1!A1:C3"

export interface Workload {
  readonly method: string
  readonly path: string
  readonly bodies: ReadonlyArray<string>
}

/** More than requests in flight, so that no two requests are equal. */
const variants = 400

const query = (startRow: number) => ({
  startDate: "2026-09-01",
  endDate: "2026-09-28",
  dimensions: ["query", "page"],
  rowLimit: 25,
  startRow
})

const read = (siteUrl: string, startRow: number, more: object = {}) =>
  JSON.stringify({
    provider: "gsc",
    endpoint: "searchanalytics.query",
    input: { path: { siteUrl }, body: query(startRow) },
    ...more
  })

const repeat = (body: (index: number) => string, count: number = variants) =>
  Array.from({ length: count }, (_, i) => body(i))

const call = (bodies: ReadonlyArray<string>): Workload => ({ method: "POST", path: "/v1/call", bodies })

const values = (row: number) => ({ range, values: [["date", "clicks"], ["2026-09-28", row], ["2026-09-29", row + 1]] })

/** 25 rows. The fake provider changes the figures each time. */
export const smallRead = call(repeat((i) => read(small, i * 25)))

/** 25 rows with the same figures. */
export const unchangedRead = call(repeat((i) => read(unchanged, i * 25)))

export const cachedRead = call(repeat((i) => read(small, i * 25, { max_age: 3600 })))

/** A tool that makes two requests, each for a report of 25 rows. */
export const toolCall = call(
  repeat((i) => JSON.stringify({ provider: "gsc", tool: "gsc_top_queries", input: { site: small, offset: i * 25 } }))
)

export const largeRead = call(repeat((i) => read(large, i * 25)))

export const write = call(repeat((i) =>
  JSON.stringify({
    provider: "gsheets",
    endpoint: "values.update",
    input: { path: { spreadsheetId: sheet, range }, query: { valueInputOption: "RAW" }, body: values(i) }
  })
))

export const logPage = (query: string): Workload => ({ method: "GET", path: `/v1/logs${query}`, bodies: [""] })

const queryPath = (siteUrl: string) => `/webmasters/v3/sites/${siteUrl}/searchAnalytics/query`

export const upstreamRead: Workload = {
  method: "POST",
  path: queryPath(encodeURIComponent(small)),
  bodies: repeat((i) => JSON.stringify(query(i * 25)))
}

const firstImpressions = 20_000

const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    keys: [`running shoes for wide feet ${i}`, `https://www.example.com/shoes/running/wide/${i}`],
    clicks: 1000 - i % 1000,
    impressions: firstImpressions + i,
    ctr: (1000 - i % 1000) / (firstImpressions + i),
    position: 1 + i % 100 / 7
  }))

const report = (count: number) => Buffer.from(JSON.stringify({ rows: rows(count), responseAggregationType: "byPage" }))

export const smallReport = () => report(25)

const changeFirstFigure = (report: Buffer) => {
  const position = report.indexOf(String(firstImpressions))
  let times = 0
  return () => {
    const changed = Buffer.from(report)
    changed.write(String(firstImpressions + ++times % firstImpressions), position)
    return changed
  }
}

const tenMegabytes = 10 * 1024 * 1024
const largeReport = () => report(Math.ceil(tenMegabytes / (report(1000).length / 1000)))

const constant = (body: Buffer) => () => body

export const makeResponses = (): ReadonlyMap<string, () => Buffer> =>
  new Map([
    [queryPath(small), changeFirstFigure(smallReport())],
    [queryPath(unchanged), constant(smallReport())],
    [queryPath(large), constant(largeReport())],
    [
      `/v4/spreadsheets/${sheet}/values/${range}`,
      constant(Buffer.from(JSON.stringify({
        spreadsheetId: sheet,
        updatedRange: range,
        updatedRows: 3,
        updatedColumns: 2,
        updatedCells: 6
      })))
    ]
  ])
