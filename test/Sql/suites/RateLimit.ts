import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { MetLimits, RateLimit, type RateWindow } from "../../../src/Capacity/RateLimit.ts"
import type { KeyPrincipal } from "../../../src/Domain/Access/Principal.ts"
import { newParty } from "../NewCall.ts"
import { fresh } from "../OtherInstance.ts"
import type { StorageTests } from "../StorageFixture.ts"

const newKey = Effect.map(newParty, ({ principal }) => principal)

const ask = Effect.fnUntraced(function*({ take }: RateLimit["Service"], key: KeyPrincipal) {
  const met: { rate: RateWindow | undefined } = { rate: undefined }
  const error = yield* take(key).pipe(
    Effect.provideService(MetLimits, met),
    Effect.match({
      onFailure: ({ code, details, retryAfter }) => ({ code, details, retryAfter }),
      onSuccess: () => undefined
    })
  )
  return { error, remaining: met.rate?.remaining, reset: met.rate?.reset }
})

export const rateLimit: StorageTests = (it) =>
  describe("rate limits", () => {
    it.effect("the limit of a key applies across instances", () =>
      Effect.gen(function*() {
        const [here, there] = [yield* RateLimit, yield* fresh(RateLimit, RateLimit.layer)]
        const key = yield* newKey
        const answers = yield* Effect.forEach(
          Array.from({ length: 40 }, (_, index) => index % 2 === 0 ? here : there),
          (instance) => ask(instance, key),
          { concurrency: "unbounded" }
        )
        const good = answers.filter(({ error }) => error === undefined)
        assert.deepStrictEqual(
          good.map(({ remaining }) => remaining).toSorted((a = 0, b = 0) => a - b),
          [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        )
        assert.lengthOf(answers.filter(({ error }) => error?.code === "rate_limited"), 30)
        yield* here.take(yield* newKey)
      }))

    it.effect("a rejected key learns when to retry, and succeeds then", () =>
      Effect.gen(function*() {
        const instance = yield* RateLimit
        const key = yield* newKey
        assert.deepStrictEqual(yield* ask(instance, key), { error: undefined, remaining: 9, reset: 60 })
        yield* TestClock.adjust("30500 millis")
        for (let i = 0; i < 9; i++) yield* instance.take(key)
        const details = { limited_by: "key", retry_after_seconds: 30 } as const
        const refused = { error: { code: "rate_limited", details, retryAfter: "30" }, remaining: 0, reset: 30 } as const
        assert.deepStrictEqual(yield* ask(instance, key), refused)
        assert.deepStrictEqual(yield* ask(instance, key), refused)
        yield* TestClock.adjust("30 seconds")
        assert.deepStrictEqual(yield* ask(instance, key), { error: undefined, remaining: 9, reset: 60 })
      }))

    it.effect("requests that cannot be counted are allowed", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const instance = yield* RateLimit
        const key = yield* newKey
        for (let i = 0; i < 10; i++) yield* instance.take(key)
        yield* Effect.acquireUseRelease(
          sql`ALTER TABLE request_counts RENAME TO elsewhere`,
          () =>
            Effect.map(
              ask(instance, key),
              (answer) => assert.deepStrictEqual(answer, { error: undefined, remaining: undefined, reset: undefined })
            ),
          () => Effect.orDie(sql`ALTER TABLE elsewhere RENAME TO request_counts`)
        )
        assert.strictEqual((yield* ask(instance, key)).error?.code, "rate_limited")
      }))
  })
