// A cron job: prints the connections that need a person, and nothing else, so that cron sends mail only then.
// 15 * * * *  OA_KEY=oa_… node /srv/openaccounts/scripts/examples/CheckConnections.ts

interface Connection {
  readonly id: string
  readonly provider: string
  readonly label: string
  readonly status: "active" | "expired" | "revoked"
  readonly last_error: { readonly code: string; readonly at: string } | null
}

const { OA_KEY: apiKey, OA_URL: baseUrl = "http://127.0.0.1:8787" } = process.env
if (apiKey === undefined) {
  console.error("Usage: OA_KEY=oa_… node scripts/examples/CheckConnections.ts")
  process.exit(2)
}

const response = await fetch(`${baseUrl}/v1/connections`, { headers: { authorization: `Bearer ${apiKey}` } })
if (!response.ok) {
  console.error(await response.text())
  process.exit(1)
}
const { connections }: { readonly connections: ReadonlyArray<Connection> } = JSON.parse(await response.text())
const broken = connections.filter(({ last_error, status }) =>
  status === "expired" || status === "active" && last_error !== null
)
for (const { id, label, last_error, provider, status } of broken) {
  const reason = last_error === null ? status : `${last_error.code} since ${last_error.at}`
  console.log(`${provider} "${label}" (${id}): ${reason}`)
}
process.exit(broken.length === 0 ? 0 : 1)
