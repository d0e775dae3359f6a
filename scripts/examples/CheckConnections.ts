// A cron job: prints the connections that need a person, and nothing else, so that cron sends mail only then.
// 15 * * * *  cd /srv/openaccounts && OA_KEY=oa_… node_modules/.bin/node scripts/examples/CheckConnections.ts

import { createClient, OpenAccountsError } from "../../src/Client/Client.ts"

const { OA_KEY: apiKey, OA_URL: baseUrl = "http://127.0.0.1:8787" } = process.env
if (apiKey === undefined) {
  console.error("Usage: OA_KEY=oa_… node_modules/.bin/node scripts/examples/CheckConnections.ts")
  process.exit(2)
}

try {
  const { connections } = await createClient({ baseUrl, apiKey }).connections.list()
  const broken = connections.filter(({ last_error, status }) =>
    status === "expired" || status === "active" && last_error !== null
  )
  for (const { id, label, last_error, provider, status } of broken) {
    const reason = last_error === null ? status : `${last_error.code} since ${last_error.at}`
    console.log(`${provider} "${label}" (${id}): ${reason}`)
  }
  process.exit(broken.length === 0 ? 0 : 1)
} catch (error) {
  if (!(error instanceof OpenAccountsError)) throw error
  console.error(`${error.code}: ${error.message} (${error.callId})`)
  if (error.details !== undefined) console.error(JSON.stringify(error.details, null, 2))
  process.exit(1)
}
