import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { type Answer, TestServer } from "../support/TestServer.ts"
import { Connected } from "./Connected.ts"
import { type Call, nameOf, reads, writes } from "./EveryOperation.ts"

/** What comes of each call with a key, and how many requests it made of the provider. */
const outcomes = Effect.fnUntraced(function*(access: "readOnly" | "readWrite", calls: ReadonlyArray<Call>) {
  const server = yield* TestServer
  const upstream = yield* LoopbackUpstream
  const connected = yield* Connected
  return yield* Effect.forEach(calls, (call) =>
    Effect.gen(function*() {
      upstream.handle(() => ({ body: {} }))
      const connection_id = yield* connected.connection(call.provider, "oauth")
      const answer = yield* server.call(connected[access], { ...call, connection_id })
      return { name: nameOf(call), answer, sent: upstream.requests.length }
    }))
})

const isReadOnly = ({ json, status }: Answer): boolean => status === 403 && json.error.code === "read_only"

const namesOf = (calls: ReadonlyArray<Call>) => calls.map(nameOf)

layer(Connected.layer, { excludeTestServices: true })("A read-only key", (it) => {
  it.effect("is refused every operation that writes, and nothing is sent", () =>
    Effect.gen(function*() {
      const refused = (yield* outcomes("readOnly", writes)).filter(({ answer, sent }) =>
        isReadOnly(answer) && sent === 0
      )
      assert.deepStrictEqual(refused.map(({ name }) => name), namesOf(writes))
      for (const { answer } of refused) assert.notProperty(answer.json.error, "details")
    }))

  it.effect("is refused before anything is said about the input", () =>
    Effect.gen(function*() {
      const calls = writes.map((call) => ({ ...call, input: { body: "wrong" } }))
      const refused = (yield* outcomes("readOnly", calls)).filter(({ answer }) => isReadOnly(answer))
      assert.deepStrictEqual(refused.map(({ name }) => name), namesOf(writes))
    }))

  it.effect("is let through to the provider for every operation that reads", () =>
    Effect.gen(function*() {
      const answered = (yield* outcomes("readOnly", reads)).filter(({ answer, sent }) =>
        answer.status !== 403 && sent > 0
      )
      assert.deepStrictEqual(answered.map(({ name }) => name), namesOf(reads))
    }))

  it.effect("is what stops it: a read-write key is let through for every operation that writes", () =>
    Effect.gen(function*() {
      const answered = (yield* outcomes("readWrite", writes)).filter(({ answer, sent }) =>
        answer.status !== 403 && sent > 0
      )
      assert.deepStrictEqual(answered.map(({ name }) => name), namesOf(writes))
    }))
})
