// Prints the top search queries of a site as CSV:
// OA_URL=… OA_KEY=… node_modules/.bin/node scripts/examples/TopQueries.ts example.com 28

import { createClient, OpenAccountsError } from "../../src/Client/Client.ts"

const [site, days = "28"] = process.argv.slice(2)
const { OA_KEY: apiKey, OA_URL: baseUrl = "http://127.0.0.1:8787" } = process.env
if (site === undefined || apiKey === undefined) {
  console.error("Usage: OA_KEY=oa_… node_modules/.bin/node scripts/examples/TopQueries.ts <site> [days]")
  process.exit(2)
}

const quote = (text: string) => `"${text.replaceAll("\"", "\"\"")}"`

try {
  const oa = createClient({ baseUrl, apiKey })
  // A response of the last hour is good enough.
  const { data } = await oa.gsc.topQueries({ site, days: Number(days) }, { maxAge: 3600 })
  console.log("query,clicks,impressions,ctr,position")
  for (const { clicks, ctr, impressions, position, query } of data.rows) {
    console.log([quote(query), clicks, impressions, ctr, position].join())
  }
} catch (error) {
  if (!(error instanceof OpenAccountsError)) throw error
  console.error(`${error.code}: ${error.message} (${error.callId})`)
  if (error.details !== undefined) console.error(JSON.stringify(error.details, null, 2))
  process.exit(1)
}
