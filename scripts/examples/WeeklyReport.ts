// Appends the top queries of the last week to a spreadsheet. An empty tab gets its headers.
// OA_KEY=… REPORT_SPREADSHEET=… node_modules/.bin/node scripts/examples/WeeklyReport.ts example.com

import { createHash } from "node:crypto"
import { createClient, OpenAccountsError } from "../../src/Client/Client.ts"

const [site] = process.argv.slice(2)
const {
  OA_KEY: apiKey,
  OA_URL: baseUrl = "http://127.0.0.1:8787",
  REPORT_SPREADSHEET: spreadsheet,
  REPORT_TAB: tab = "Report"
} = process.env
if (site === undefined || apiKey === undefined || spreadsheet === undefined) {
  console.error(
    "Usage: OA_KEY=oa_… REPORT_SPREADSHEET=<id or URL> node_modules/.bin/node scripts/examples/WeeklyReport.ts <site>"
  )
  process.exit(2)
}

try {
  const oa = createClient({ baseUrl, apiKey })
  const { data: { end, rows } } = await oa.gsc.topQueries({ site, days: 7, limit: 10 })
  const report = JSON.stringify([spreadsheet, tab, site, end])
  const { data: { updated_range } } = await oa.gsheets.appendRows(
    {
      spreadsheet,
      tab,
      create_headers: true,
      rows: rows.map(({ clicks, impressions, query }) => ({
        Week: end,
        Query: query,
        Clicks: clicks,
        Impressions: impressions
      }))
    },
    // A second run on the same day gets the first response and appends nothing. The hash keeps every name short and ASCII.
    { idempotencyKey: `weekly-report-${createHash("sha256").update(report).digest("hex")}` }
  )
  console.log(`${rows.length} rows in ${updated_range}`)
} catch (error) {
  if (!(error instanceof OpenAccountsError)) throw error
  console.error(`${error.code}: ${error.message} (${error.callId})`)
  if (error.details !== undefined) console.error(JSON.stringify(error.details, null, 2))
  process.exit(1)
}
