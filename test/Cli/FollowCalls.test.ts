import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { followCalls } from "../../src/Cli/Commands/Logs/FollowCalls.ts"
import type { LoggedCall } from "../../src/Domain/Calls/Call.ts"
import { CallId } from "../../src/Domain/Ids.ts"
import { neverUndone } from "../support/NeverUndone.ts"
import { plainCall } from "../support/PlainCall.ts"

const call = (n: number): LoggedCall => ({
  id: CallId.make(`call_${String(n).padStart(26, "0")}`),
  ...plainCall,
  ...neverUndone,
  created_at: new Date(0)
})

const makeLog = (numbers: ReadonlyArray<number>) => {
  const log = new Set(numbers)
  const printed: Array<ReadonlyArray<number>> = []
  const print = (calls: ReadonlyArray<LoggedCall>) =>
    Effect.sync(() => void printed.push(calls.map(({ id }) => Number(id.slice(5)))))
  const list = ({ cursor, limit }: { readonly limit: number; readonly cursor?: string }) =>
    Effect.sync(() => {
      const newestFirst = [...log].toSorted((a, b) => b - a).map(call)
      const rest = newestFirst.filter(({ id }) => cursor === undefined || id < cursor)
      return { calls: rest.slice(0, limit), cursor: rest.length > limit ? rest[limit - 1]?.id ?? null : null }
    })
  const follow = (first: number) =>
    Effect.forkChild(followCalls({ first, list, printFirst: print, print }), { startImmediately: true })
  return { log, printed, follow }
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const oneSecond = TestClock.adjust(Duration.seconds(1))

describe("oa logs --follow", () => {
  it.effect("prints a slow call that ends after calls that started later", () =>
    Effect.gen(function*() {
      const { follow, log, printed } = makeLog([1, 3])
      const following = yield* follow(10)
      log.add(5)
      yield* oneSecond
      log.add(4).add(2)
      yield* oneSecond
      assert.deepStrictEqual(printed, [[1, 3], [5], [2, 4]])
      yield* Fiber.interrupt(following)
    }))

  it.effect("prints each of several pages of new calls once and no older call", () =>
    Effect.gen(function*() {
      const { follow, log, printed } = makeLog(range(1, 1000))
      const following = yield* follow(1)
      for (const n of range(1001, 1450)) log.add(n)
      yield* oneSecond
      yield* oneSecond
      assert.deepStrictEqual(printed, [[1000], range(1001, 1450)])
      yield* Fiber.interrupt(following)
    }))
})
