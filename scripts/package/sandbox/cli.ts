import { parseArgs } from "node:util"
import { startSandbox } from "./Start.ts"

const usage = `openaccounts-sandbox: fakes of Search Console, Analytics, Sheets, Docs and a site search on this machine

  --port <n>     the port; by default any that is free
  --quotas       refuse requests beyond the providers' quotas
  --help`

const { values: { help, port, quotas = false } } = parseArgs({
  options: { port: { type: "string" }, quotas: { type: "boolean" }, help: { type: "boolean" } }
})

if (help === true) process.stdout.write(`${usage}\n`)
else {
  const sandbox = await startSandbox({ quotas, ...port === undefined ? {} : { port: Number(port) } })
  const { google, sitesearch } = sandbox.credentials
  const urls = Object.entries(sandbox.settings).map(([name, url]) => `${name}=${url}`)
  process.stdout.write(`The sandbox runs at ${sandbox.url}

${urls.join("\n")}

GOOGLE_CLIENT_ID=${google.client_id}
GOOGLE_CLIENT_SECRET=${google.client_secret}
GOOGLE_REFRESH_TOKEN=${google.refresh_token}
SITESEARCH_CLIENT_ID=${sitesearch.client_id}
SITESEARCH_CLIENT_SECRET=${sitesearch.client_secret}
SITESEARCH_API_KEY=${sitesearch.api_key}

What was asked: curl ${sandbox.url}/ledger
A fault:        curl ${sandbox.url}/faults -d '{"origin":"gsc","fault":"throttled","times":2}'
End it with Ctrl-C.
`)
  process.once("SIGINT", () => void sandbox.stop()).once("SIGTERM", () => void sandbox.stop())
}
