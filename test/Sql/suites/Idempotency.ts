import { assert, describe, type Vitest } from "@effect/vitest"
import { Clock, Context, Duration, Effect, Equal, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { StoredResponse } from "../../../src/Calls/CallResult.ts"
import { CallId, ConnectionId, MemberId } from "../../../src/Domain/Ids.ts"
import { newId } from "../../../src/Domain/NewId.ts"
import { Idempotency, type KeyUse } from "../../../src/Features/Idempotency/Idempotency.ts"
import { hashBody } from "../../../src/Features/Idempotency/IdempotentWrite.ts"
import { DatabaseTime } from "../../../src/Sql/Client/DatabaseTime.ts"
import { eventually } from "../../support/Eventually.ts"
import { at, testTime } from "../At.ts"
import type { StorageTests } from "../StorageFixture.ts"

const day = Duration.hours(24)

const connectionId = ConnectionId.make(`con_${"0".repeat(26)}`)

/** The time of the database does not follow the clock of the test. */
const otherInstance = (time = DatabaseTime.defaultValue()) =>
  Layer.fresh(Idempotency.layer).pipe(
    Layer.provide(Layer.succeed(DatabaseTime, time)),
    Layer.build,
    Effect.map((services) => Context.get(services, Idempotency))
  )

const newUse = Effect.fnUntraced(function*(first?: KeyUse, body: unknown = { a: 1, b: [2] }) {
  return {
    memberId: first?.memberId ?? MemberId.make(yield* newId("mem")),
    key: "key",
    bodyHash: hashBody(body),
    callId: CallId.make(yield* newId("call"))
  } satisfies KeyUse
})

const responseTo = ({ callId }: KeyUse, body = "{\"spreadsheetId\":\"secret-é\"}") =>
  new StoredResponse({ callId, status: 400, retryAfter: "7", body, connectionId })

const repeat = Effect.fnUntraced(function*(first: KeyUse, body?: unknown) {
  const use = yield* newUse(first, body)
  return yield* Effect.match((yield* Idempotency).claim(use), {
    onFailure: ({ code, details }) => details === undefined ? { code } : { code, details },
    onSuccess: (kept) => Option.getOrElse(kept, () => "free" as const)
  })
})

const claimed = Effect.gen(function*() {
  const use = yield* newUse()
  assert.deepStrictEqual(yield* (yield* Idempotency).claim(use), Option.none())
  return use
})

const inProgress = { code: "idempotency_in_progress", details: { retry_after_seconds: 1 } } as const

export const idempotency = (it: Vitest.MethodsNonLive<Idempotency>) =>
  describe("idempotency keys", () => {
    it.effect("one of many concurrent claims gets the key", () =>
      Effect.gen(function*() {
        const first = yield* newUse()
        const uses = yield* Effect.replicateEffect(newUse(first), 50)
        const { claim } = yield* Idempotency
        const codes = yield* Effect.forEach(
          uses,
          (use) => Effect.match(claim(use), { onFailure: ({ code }) => code, onSuccess: () => "claimed" as const }),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(codes.filter((code) => code === "claimed"), 1)
        assert.lengthOf(codes.filter((code) => code === "idempotency_in_progress"), 49)
      }))

    it.effect("a response is stored unchanged for 24 hours, and another body is refused", () =>
      Effect.gen(function*() {
        const first = yield* claimed
        const details = { call_id: first.callId }
        assert.deepStrictEqual(yield* repeat(first), inProgress)
        assert.deepStrictEqual(yield* repeat(first, { a: 2 }), { code: "idempotency_key_reused", details })
        yield* (yield* Idempotency).keep(first, responseTo(first))
        assert.deepStrictEqual(yield* repeat(first, { b: [2], a: 1 }), responseTo(first))
        assert.deepStrictEqual(yield* repeat(first, { a: 1, b: ["2"] }), { code: "idempotency_key_reused", details })
        const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(day)
        assert.deepStrictEqual(yield* repeat(first).pipe(at(until - 1)), responseTo(first))
        assert.strictEqual(yield* repeat(first, { a: 2 }).pipe(at(until)), "free")
      }))

    it.effect("a released key is free, an unknown outcome stays unknown", () =>
      Effect.gen(function*() {
        const { markUnknown, release } = yield* Idempotency
        const released = yield* claimed
        yield* release(released)
        assert.strictEqual(yield* repeat(released, { a: 2 }), "free")
        yield* release(released)
        assert.deepStrictEqual(yield* repeat(released, { a: 2 }), inProgress)

        const unknown = yield* claimed
        yield* markUnknown(unknown)
        const details = { call_id: unknown.callId }
        assert.deepStrictEqual(yield* repeat(unknown), { code: "outcome_unknown", details })
        const inAnHour = (yield* Clock.currentTimeMillis) + Duration.toMillis("1 hour")
        assert.deepStrictEqual(yield* repeat(unknown).pipe(at(inAnHour)), { code: "outcome_unknown", details })
        assert.deepStrictEqual(yield* repeat(unknown, {}), { code: "idempotency_key_reused", details })
      }))

    it.effect("a call is in progress while its instance extends the lease, and its outcome is unknown after the instance died", () =>
      Effect.gen(function*() {
        const { keep, keepLease } = yield* Idempotency
        const first = yield* claimed
        const clock = yield* Clock.Clock
        const whileExtended = TestClock.withLive(eventually(
          Effect.provideService(repeat(first), Clock.Clock, clock),
          (answer) => Equal.equals(answer, inProgress)
        ))
        const alive = yield* Effect.forkChild(keepLease(first), { startImmediately: true })
        for (let seconds = 0; seconds < 60; seconds += 3) {
          yield* TestClock.adjust("3 seconds")
          assert.deepStrictEqual(yield* whileExtended, inProgress)
        }
        yield* Fiber.interrupt(alive)
        yield* TestClock.adjust("10 seconds")
        assert.deepStrictEqual(yield* repeat(first), { code: "outcome_unknown", details: { call_id: first.callId } })

        yield* keep(first, responseTo(first))
        assert.deepStrictEqual(yield* repeat(first), responseTo(first))
      }))
  })

export const storedKeyUses: StorageTests = (it) =>
  describe("stored idempotency keys", () => {
    it.effect("apply across instances, and responses are encrypted", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const there = yield* otherInstance(testTime)
        const first = yield* claimed
        const again = there.claim(yield* newUse(first))
        assert.strictEqual((yield* Effect.flip(again)).code, "idempotency_in_progress")
        yield* (yield* Idempotency).keep(first, responseTo(first))
        assert.deepStrictEqual(yield* again, Option.some(responseTo(first)))
        const [row] = yield* sql<{ readonly text: string }>`
          SELECT (encode(answer, 'escape') || k.*::text) AS text FROM idempotency_keys AS k
          WHERE member_id = ${first.memberId}`
        assert.isDefined(row)
        assert.notInclude(row?.text, "secret")
      }))

    it.effect("keep a response of 20 MB", () =>
      Effect.gen(function*() {
        const first = yield* claimed
        const large = responseTo(first, JSON.stringify("x".repeat(20_000_000)))
        yield* (yield* Idempotency).keep(first, large)
        assert.isTrue(Equal.equals(yield* repeat(first), large))
      }))

    it.effect("stay as long with an instance whose clock is days ahead or behind", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const now = yield* TestClock.withLive(Clock.currentTimeMillis)
        const [first, underWay] = [yield* newUse(), yield* newUse()]
        for (const [ahead, other] of [[0, 3], [3, 0], [-3, 0], [0, -3]] as const) {
          const here = yield* otherInstance().pipe(at(now + ahead * Duration.toMillis(day)))
          const there = yield* otherInstance().pipe(at(now + other * Duration.toMillis(day)))
          const on = <A, E>(days: number, effect: Effect.Effect<A, E>) =>
            effect.pipe(at(now + days * Duration.toMillis(day)))
          yield* on(ahead, here.claim(first))
          yield* on(ahead, here.claim(underWay))
          assert.strictEqual(
            (yield* Effect.flip(on(other, there.claim(yield* newUse(underWay))))).code,
            "idempotency_in_progress"
          )
          yield* on(ahead, here.keep(first, responseTo(first)))
          assert.deepStrictEqual(yield* on(other, there.claim(yield* newUse(first))), Option.some(responseTo(first)))
          const left = sql<{ readonly hours: number }>`
            SELECT round(extract(epoch FROM kept_until - now()) / 3600)::int AS hours FROM idempotency_keys
            WHERE member_id = ${first.memberId}`
          assert.deepStrictEqual(yield* left, [{ hours: 24 }])
          for (const use of [first, underWay]) yield* here.release(use)
        }
      }))

    it.effect("a response that is too late does not change a key that another call has", () =>
      Effect.gen(function*() {
        const { keep } = yield* Idempotency
        const first = yield* claimed
        const tomorrow = at((yield* Clock.currentTimeMillis) + Duration.toMillis(day))
        assert.strictEqual(yield* repeat(first).pipe(tomorrow), "free")
        yield* keep(first, responseTo(first)).pipe(tomorrow)
        assert.deepStrictEqual(yield* repeat(first).pipe(tomorrow), inProgress)
      }))

    it.effect("old keys are swept, others stay", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const now = yield* Clock.currentTimeMillis
        const yesterday = now - Duration.toMillis(day)
        const old = yield* claimed.pipe(at(yesterday))
        const young = yield* claimed.pipe(at(yesterday + 1))
        yield* otherInstance(testTime).pipe(at(now))
        const rows = (use: KeyUse) => sql`SELECT call_id FROM idempotency_keys WHERE member_id = ${use.memberId}`
        // The sweep runs in the background.
        assert.lengthOf(yield* TestClock.withLive(eventually(rows(old), ({ length }) => length === 0)), 0)
        assert.lengthOf(yield* rows(young), 1)
      }))
  })
