/** What the benchmark calls for: a request of the service's API, and what the providers' stand-in answers to it. */

const small = "sc-domain:example.com"
const settled = "sc-domain:settled.example.com"
const large = "sc-domain:large.example.com"
const sheet = "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms"
const range = "Sheet1!A1:C3"

export interface Exchange {
  readonly method: string
  readonly path: string
  /** A client takes them in turn. */
  readonly bodies: ReadonlyArray<string>
}

/** Enough different reads that no two in flight are the same one. */
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

const each = (body: (index: number) => string, count: number = variants) =>
  Array.from({ length: count }, (_, i) => body(i))

const call = (bodies: ReadonlyArray<string>): Exchange => ({ method: "POST", path: "/v1/call", bodies })

const values = (row: number) => ({ range, values: [["date", "clicks"], ["2026-09-28", row], ["2026-09-29", row + 1]] })

/** 25 rows, straight from the provider, whose figures are others each time. */
export const smallRead = call(each((i) => read(small, i * 25)))

/** The same with figures that have not changed. */
export const unchangedRead = call(each((i) => read(settled, i * 25)))

/** 25 rows that are at most an hour old. */
export const cachedRead = call(each((i) => read(small, i * 25, { max_age: 3600 })))

/** 10 MB from the provider. */
export const largeRead = call(each((i) => read(large, i * 25)))

export const write = call(each((i) =>
  JSON.stringify({
    provider: "gsheets",
    endpoint: "values.update",
    input: { path: { spreadsheetId: sheet, range }, query: { valueInputOption: "RAW" }, body: values(i) }
  })
))

export const logPage = (query: string): Exchange => ({ method: "GET", path: `/v1/logs${query}`, bodies: [""] })

const queryPath = (siteUrl: string) => `/webmasters/v3/sites/${siteUrl}/searchAnalytics/query`

/** The small read as the provider itself gets it. */
export const upstreamRead: Exchange = {
  method: "POST",
  path: queryPath(encodeURIComponent(small)),
  bodies: each((i) => JSON.stringify(query(i * 25)))
}

const firstFigure = 20_000

const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    keys: [`running shoes for wide feet ${i}`, `https://www.example.com/shoes/running/wide/${i}`],
    clicks: 1000 - i % 1000,
    impressions: firstFigure + i,
    ctr: (1000 - i % 1000) / (firstFigure + i),
    position: 1 + i % 100 / 7
  }))

const report = (count: number) => Buffer.from(JSON.stringify({ rows: rows(count), responseAggregationType: "byPage" }))

export const smallReport = () => report(25)

/** A report whose first figure is another one each time. */
const changing = (report: Buffer) => {
  const place = report.indexOf(String(firstFigure))
  let times = 0
  return () => {
    const changed = Buffer.from(report)
    changed.write(String(firstFigure + ++times % firstFigure), place)
    return changed
  }
}

const tenMegabytes = 10 * 1024 * 1024
const largeReport = () => report(Math.ceil(tenMegabytes / (report(1000).length / 1000)))

const same = (answer: Buffer) => () => answer

/** What the stand-in answers, by path as it is when decoded. */
export const makeAnswers = (): ReadonlyMap<string, () => Buffer> =>
  new Map([
    [queryPath(small), changing(smallReport())],
    [queryPath(settled), same(smallReport())],
    [queryPath(large), same(largeReport())],
    [
      `/v4/spreadsheets/${sheet}/values/${range}`,
      same(Buffer.from(JSON.stringify({
        spreadsheetId: sheet,
        updatedRange: range,
        updatedRows: 3,
        updatedColumns: 2,
        updatedCells: 6
      })))
    ]
  ])
