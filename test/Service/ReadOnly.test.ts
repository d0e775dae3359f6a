import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, errorIn } from "../support/Answer.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { TestServer } from "../support/TestServer.ts"
import { Connected } from "./Connected.ts"
import { type Call, nameOf, reads, writes } from "./EveryOperation.ts"

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

const isReadOnly = (answer: Answer): boolean => answer.status === 403 && errorIn(answer).code === "read_only"

const namesOf = (calls: ReadonlyArray<Call>) => calls.map(nameOf)

layer(Connected.layer, { excludeTestServices: true })("A read-only key", (it) => {
  it.effect("cannot call operations that write, and nothing is sent", () =>
    Effect.gen(function*() {
      const refused = (yield* outcomes("readOnly", writes)).filter(({ answer, sent }) =>
        isReadOnly(answer) && sent === 0
      )
      assert.deepStrictEqual(refused.map(({ name }) => name), namesOf(writes))
      for (const { answer } of refused) assert.notProperty(errorIn(answer), "details")
    }))

  it.effect("is refused before the input is validated", () =>
    Effect.gen(function*() {
      const calls = writes.map((call) => ({ ...call, input: { body: "wrong" } }))
      const refused = (yield* outcomes("readOnly", calls)).filter(({ answer }) => isReadOnly(answer))
      assert.deepStrictEqual(refused.map(({ name }) => name), namesOf(writes))
    }))

  it.effect("can call every operation that reads", () =>
    Effect.gen(function*() {
      const answered = (yield* outcomes("readOnly", reads)).filter(({ answer, sent }) =>
        answer.status !== 403 && sent > 0
      )
      assert.deepStrictEqual(answered.map(({ name }) => name), namesOf(reads))
    }))

  it.effect("is needed for the refusal: a read-write key can call every operation that writes", () =>
    Effect.gen(function*() {
      const answered = (yield* outcomes("readWrite", writes)).filter(({ answer, sent }) =>
        answer.status !== 403 && sent > 0
      )
      assert.deepStrictEqual(answered.map(({ name }) => name), namesOf(writes))
    }))
})
