/**
 * A yardstick: the service's `POST /v1/call` as one would write it by hand for speed. Fastify 5, compiled ajv schemas,
 * keys and connections remembered for half a second, credentials decrypted, undici to the provider, and one awaited
 * insert into the log before the answer. No cache, no retries, no tools, three endpoints.
 *
 *     node scripts/bench/gateway/Gateway.ts <database url> <upstream url> <api key> <access token>
 */
import Fastify from "fastify"
import { randomUUID } from "node:crypto"
import { Pool } from "undici"
import { listen } from "../Listening.ts"
import { isCallRequest, operations, targetOf } from "./Operations.ts"
import { redact } from "./Redact.ts"
import { openStore } from "./Store.ts"

const [databaseUrl = "", upstreamUrl = "", key = "", accessToken = ""] = process.argv.slice(2)

const store = await openStore(databaseUrl, key, accessToken)
const upstream = new Pool(upstreamUrl, { connections: 256 })

type Answered = { readonly status: 200; readonly data: string } | {
  readonly status: number
  readonly code: string
  readonly details?: unknown
}

/** What the log tells of a call. */
interface Told {
  principal?: Awaited<ReturnType<typeof store.principal>>
  connection?: Awaited<ReturnType<typeof store.connection>>
  provider?: string
  target?: string
  request?: string
}

const answer = async (authorization: string | undefined, body: string, told: Told): Promise<Answered> => {
  const presented = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1]
  const principal = told.principal = presented === undefined ? undefined : await store.principal(presented)
  if (principal === undefined) return { status: 401, code: "unauthenticated" }

  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return { status: 400, code: "invalid_json" }
  }
  told.request = body
  if (!isCallRequest(json)) return { status: 400, code: "invalid_input", details: isCallRequest.errors }
  const { endpoint = "", input = {}, provider } = json
  told.provider = provider
  told.target = `raw:${endpoint}`

  const operation = operations.get(`${provider} ${endpoint}`)
  if (operation === undefined) return { status: 404, code: "endpoint_not_found" }
  if (operation.writes && principal.access !== "read_write") return { status: 403, code: "read_only" }
  if (!operation.isInput(input)) return { status: 400, code: "invalid_input", details: operation.isInput.errors }

  const connection = told.connection = await store.connection(provider)
  if (connection === undefined) return { status: 404, code: "connection_not_found" }

  const { body: stream, statusCode } = await upstream.request({
    method: operation.method,
    path: targetOf(operation, input),
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
  // In the order of time, which the index of the log is grateful for.
  const id = `call_${Date.now().toString(36)}-${randomUUID()}`
  const told: Told = {}
  const answered = await answer(authorization, body, told).catch((error: unknown): Answered => ({
    status: 502,
    code: "upstream_unreachable",
    details: String(error)
  }))
  const latency = Math.round((performance.now() - start) * 1000) / 1000
  const text = "data" in answered
    ? `{"call_id":"${id}","connection_id":"${told.connection?.id}","cached":false,"cost_usd":0,` +
      `"latency_ms":${latency},"data":${answered.data}}`
    : JSON.stringify({ call_id: id, error: { code: answered.code, details: answered.details } })
  await store.log({
    id,
    principal: told.principal,
    connection: told.connection,
    provider: told.provider ?? null,
    target: told.target ?? null,
    status: answered.status,
    errorCode: "code" in answered ? answered.code : null,
    latency,
    request: told.request === undefined ? null : redact(told.request),
    response: redact(text)
  })
  return { id, status: answered.status, text }
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
