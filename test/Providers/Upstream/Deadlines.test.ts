import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { makeDeadlines } from "../../../src/Providers/Upstream/Deadlines.ts"

describe("Deadlines", () => {
  it.effect("expire in their order, whichever was set first", () =>
    Effect.gen(function*() {
      const { watch } = yield* makeDeadlines
      const expired: Array<string> = []
      for (const [at, name] of [[200, "late"], [100, "soon"], [100, "soon too"], [300, "last"]] as const) {
        watch(at, () => expired.push(name))
      }
      yield* TestClock.adjust(99)
      assert.deepStrictEqual(expired, [])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(expired, ["soon", "soon too"])
      yield* TestClock.adjust(1000)
      assert.deepStrictEqual(expired, ["soon", "soon too", "late", "last"])
    }))

  it.effect("that are met do not expire, and do not keep others from it", () =>
    Effect.gen(function*() {
      const { watch } = yield* makeDeadlines
      const expired: Array<string> = []
      const met = watch(100, () => expired.push("met"))
      met()
      yield* TestClock.adjust(150)
      watch(200, () => expired.push("next"))
      watch(100, () => expired.push("past"))
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(expired, ["past"])
      yield* TestClock.adjust(50)
      assert.deepStrictEqual(expired, ["past", "next"])
    }))

  it.effect("can be set by what expires", () =>
    Effect.gen(function*() {
      const { watch } = yield* makeDeadlines
      const expired: Array<string> = []
      watch(100, () => {
        expired.push("first")
        watch(150, () => expired.push("second"))
      })
      yield* TestClock.adjust(100)
      assert.deepStrictEqual(expired, ["first"])
      yield* TestClock.adjust(50)
      assert.deepStrictEqual(expired, ["first", "second"])
    }))
})
