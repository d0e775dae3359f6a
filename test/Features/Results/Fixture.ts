import { Effect, Schema } from "effect"
import { TablePart } from "../../../src/Domain/Calls/TablePart.ts"
import { KeptResult } from "../../../src/Features/Results/Result.ts"
import type { Answer } from "../../support/Answer.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../../support/TestServer.ts"

const decode = Schema.decodeUnknownSync(Schema.Struct({
  data: Schema.Struct({ result: Schema.toEncoded(KeptResult), preview: Schema.Unknown, ...TablePart.fields })
}))

export const keptIn = ({ json }: Answer) => decode(json).data

/** A kept result of the call, to which the provider answers with the body. */
export const keep = Effect.fnUntraced(function*(call: object, body: unknown) {
  const server = yield* TestServer
  ;(yield* LoopbackUpstream).handle(() => ({ body }))
  const seeded = yield* seed()
  const { readOnly } = seeded
  const again = Effect.map(server.call(readOnly, { ...call, keep: true }), keptIn)
  const kept = yield* again
  const path = `/v1/results/${kept.result.id}`
  const get = (key: string, at = path) => server.request("GET", at, { key })
  const query = (body: object, key = readOnly) => server.request("POST", `${path}/query`, { key, body })
  return { ...seeded, ...kept, server, again, path, get, query, ask: (sql: string) => query({ sql }) }
})
