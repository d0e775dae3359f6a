/** A hand-written page of the service's own log. */
import Fastify from "fastify"
import { Pool } from "pg"
import { listen } from "../Listen.ts"

const [databaseUrl = "", key = "", clientId = ""] = process.argv.slice(2)

const pool = new Pool({ connectionString: databaseUrl, max: 20, options: "-c plan_cache_mode=force_generic_plan" })

const columns = `id, provider, target, outcome, http_status, error_code, latency_ms, cost_usd, cached, connection_id,
  client_id, member_id, key_id, grant_id, created_at`

const text = `SELECT ${columns} FROM calls WHERE client_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2`

const nullable = { type: "string", nullable: true }
const call = {
  type: "object",
  properties: {
    id: { type: "string" },
    provider: nullable,
    target: nullable,
    outcome: { type: "string" },
    http_status: { type: "integer" },
    error_code: nullable,
    latency_ms: { type: "number" },
    cost_usd: { type: "number" },
    cached: { type: "boolean" },
    connection_id: nullable,
    client_id: nullable,
    member_id: nullable,
    key_id: nullable,
    grant_id: nullable,
    via: nullable,
    created_at: { type: "string", format: "date-time" }
  }
}
const page = { type: "object", properties: { calls: { type: "array", items: call }, cursor: nullable } }

const via = (row: Readonly<Record<string, unknown>>) => {
  if (row["key_id"] !== null) return "key"
  return row["grant_id"] === null ? "session" : "grant"
}

const limit = 50

const app = Fastify()
app.get("/v1/logs", { schema: { response: { 200: page } } }, async (request, reply) => {
  if (request.headers.authorization !== `Bearer ${key}`) return reply.send(new Error("Not the key"))
  const { rows } = await pool.query({ name: "page", text, values: [clientId, limit + 1] })
  const calls = rows.slice(0, limit).map((row) => ({ ...row, via: via(row) }))
  return { calls, cursor: rows.length > limit ? calls.at(-1)?.id : null }
})

await app.ready()
listen(app.server)
