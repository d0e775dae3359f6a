/**
 * A baseline: `POST /v1/call` written by hand for speed, with three endpoints and no cache, retries or tools.
 *
 *     node scripts/bench/gateway/Gateway.ts <database url> <upstream url> <api key> <access token>
 */
import Fastify from "fastify"
import { randomUUID } from "node:crypto"
import { Pool } from "undici"
import { listen } from "../Listen.ts"
import { isCallRequest, operations, requestTarget } from "./Operations.ts"
import { redact } from "./Redact.ts"
import { openStore } from "./Store.ts"

const [databaseUrl = "", upstreamUrl = "", key = "", accessToken = "", commit] = process.argv.slice(2)

const store = await openStore(databaseUrl, key, accessToken, commit === "group" ? "group" : "each")
const upstream = new Pool(upstreamUrl, { connections: 256 })

type Outcome = { readonly status: 200; readonly data: string } | {
  readonly status: number
  readonly code: string
  readonly details?: unknown
}

interface CallRecord {
  principal?: Awaited<ReturnType<typeof store.principal>>
  connection?: Awaited<ReturnType<typeof store.connection>>
  provider?: string
  target?: string
  request?: string
}

const handleCall = async (authorization: string | undefined, body: string, record: CallRecord): Promise<Outcome> => {
  const presented = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1]
  const principal = record.principal = presented === undefined ? undefined : await store.principal(presented)
  if (principal === undefined) return { status: 401, code: "unauthenticated" }

  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return { status: 400, code: "invalid_json" }
  }
  record.request = body
  if (!isCallRequest(json)) return { status: 400, code: "invalid_input", details: isCallRequest.errors }
  const { endpoint = "", input = {}, provider } = json
  record.provider = provider
  record.target = `raw:${endpoint}`

  const operation = operations.get(`${provider} ${endpoint}`)
  if (operation === undefined) return { status: 404, code: "endpoint_not_found" }
  if (operation.writes && principal.access !== "read_write") return { status: 403, code: "read_only" }
  if (!operation.isInput(input)) return { status: 400, code: "invalid_input", details: operation.isInput.errors }

  const connection = record.connection = await store.connection(provider)
  if (connection === undefined) return { status: 404, code: "connection_not_found" }

  const { body: stream, statusCode } = await upstream.request({
    method: operation.method,
    path: requestTarget(operation, input),
    headers: {
      authorization: `Bearer ${store.accessToken(connection)}`,
      accept: "application/json",
      ...(input.body === undefined ? {} : { "content-type": "application/json; charset=UTF-8" })
    },
    body: input.body === undefined ? null : JSON.stringify(input.body)
  })
  const text = await stream.text()
  try {
    const data: unknown = JSON.parse(text)
    return statusCode < 300
      ? { status: 200, data: text }
      : { status: statusCode, code: "upstream_error", details: data }
  } catch {
    return { status: 502, code: "upstream_unreachable" }
  }
}

const call = async (authorization: string | undefined, body: string) => {
  const start = performance.now()
  const id = `call_${Date.now().toString(36)}-${randomUUID()}`
  const record: CallRecord = {}
  const outcome = await handleCall(authorization, body, record).catch((error: unknown): Outcome => ({
    status: 502,
    code: "upstream_unreachable",
    details: String(error)
  }))
  const latency = Math.round((performance.now() - start) * 1000) / 1000
  const text = "data" in outcome
    ? `{"call_id":"${id}","connection_id":"${record.connection?.id}","cached":false,"cost_usd":0,` +
      `"latency_ms":${latency},"data":${outcome.data}}`
    : JSON.stringify({ call_id: id, error: { code: outcome.code, details: outcome.details } })
  await store.log({
    id,
    principal: record.principal,
    connection: record.connection,
    provider: record.provider ?? null,
    target: record.target ?? null,
    status: outcome.status,
    errorCode: "code" in outcome ? outcome.code : null,
    latency,
    request: record.request === undefined ? null : redact(record.request),
    response: redact(text)
  })
  return { id, status: outcome.status, text }
}

const app = Fastify({ bodyLimit: 10_485_760 })
app.removeAllContentTypeParsers()
app.addContentTypeParser("*", { parseAs: "string" }, (_, body, done) => done(null, body))
app.post("/v1/call", async (request, reply) => {
  const { id, status, text } = await call(request.headers.authorization, String(request.body ?? ""))
  return reply.code(status).header("x-call-id", id).header("content-type", "application/json").send(text)
})

await app.ready()
listen(app.server)
