import { Effect, Schema } from "effect"
import { BulkCall } from "../../../src/Features/BulkCalls/Contract.ts"
import { report } from "../../Http/Fixture.ts"
import type { Answer } from "../../support/Answer.ts"
import { type Handler, LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { freshGrant, type Seed, seed, TestServer } from "../../support/TestServer.ts"

const decode = Schema.decodeUnknownSync(Schema.toCodecJson(BulkCall))

export const bulkIn = ({ json }: Answer) => decode(json)

export const daily = report(["query"])

/** Each account has one query, which is its token. */
export const tokens: Handler = ({ headers }) => ({
  body: { rows: [{ keys: [headers.authorization?.slice(19)], clicks: 2, impressions: 4, ctr: 0.5, position: 1 }] }
})

/** The account of the second client is refused. */
export const tokensOfFirst: Handler = (sent) =>
  /seed-\d+-2-/.test(sent.headers.authorization ?? "") ? { status: 400, body: { error: {} } } : tokens(sent)

const addClient = Effect.fnUntraced(function*({ connect, name }: Seed, index: number) {
  const { admin } = yield* TestServer
  const client = yield* admin.clients.create({ payload: { name: `${name} ${index}` } })
  const { id } = yield* connect({ client_id: client.id, credentials: freshGrant(`${name}-${index}`) })
  return { client, id }
})

/** A member of two clients among five, each with an account. */
export const setUp = Effect.fnUntraced(function*(handler: Handler = tokens) {
  const { admin, request } = yield* TestServer
  ;(yield* LoopbackUpstream).handle(handler)
  const seeded = yield* seed()
  const [second, ...others] = yield* Effect.forEach([2, 3, 4, 5], (index) => addClient(seeded, index))
  if (second === undefined) return yield* Effect.die("no client")
  const client_ids = [seeded.client.id, second.client.id]
  yield* admin.members.change({ params: { id: seeded.member.id }, payload: { client_ids } })
  const key = seeded.readOnly
  const start = (body: unknown) => request("POST", "/v1/bulk-calls", { key, body })
  const get = (id: string) => request("GET", `/v1/bulk-calls/${id}?wait=60`, { key })
  const run = (body: unknown) => Effect.flatMap(start(body), (started) => Effect.map(get(bulkIn(started).id), bulkIn))
  return { ...seeded, second, others, key, request, start, get, run }
})
