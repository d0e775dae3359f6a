import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { QuotaRequest } from "../../../src/Features/Quotas/Quotas.ts"
import { urlInspectionIndexInspect } from "../../../src/Providers/Gsc/Endpoints.ts"
import { gsc } from "../../../src/Providers/Gsc/Provider.ts"
import { serviceCaller } from "../../../src/Providers/Sending/Caller.ts"
import { after, connectionId, isSent, makeInstances } from "./World.ts"

const requestOf = (account: string): QuotaRequest => ({
  provider: gsc,
  endpoint: urlInspectionIndexInspect,
  input: { body: { siteUrl: "sc-domain:acme.com", inspectionUrl: "https://acme.com/" } },
  access: { quotaAccount: Effect.succeed({ project: "ours", account }) }
})
const [jane, joe] = [requestOf("jane@acme.com"), requestOf("joe@acme.com")]

const quota = "gsc.inspection.resource"

describe("A quota of a resource", () => {
  it.effect("counts for all callers what accounts send that have reached it within a day, in any instance", () =>
    Effect.gen(function*() {
      const { one, other } = yield* makeInstances(gsc, { [quota]: 2 })
      assert.isTrue(yield* isSent(one, jane))
      assert.isTrue(yield* isSent(other, joe))
      for (const [instance, request] of [[one, jane], [other, jane], [other, joe]] as const) {
        assert.isFalse(yield* isSent(instance, request))
      }
      yield* TestClock.adjust("23 hours")
      assert.isTrue(yield* isSent(one, jane))
      // Joe's last answer was longer ago than a day.
      yield* TestClock.adjust("2 hours")
      for (let sent = 0; sent < 2; sent++) assert.isTrue(yield* isSent(one, jane))
      for (const expected of [true, true, false]) {
        assert.strictEqual(yield* isSent(other, joe, { status: 500 }), expected)
      }
    }).pipe(Effect.scoped))

  it.effect("costs one look-up, and none once the account is known", () =>
    Effect.gen(function*() {
      const { lookups, one } = yield* makeInstances(gsc)
      for (let sent = 0; sent < 20; sent++) assert.isTrue(yield* isSent(one, jane))
      assert.strictEqual(lookups(), 1)
      const listed = (yield* after(one.list([connectionId]))).filter(({ name }) => name === quota)
      assert.deepStrictEqual(listed.map(({ used }) => used), [20])
    }).pipe(Effect.scoped))

  it.effect("keeps the unit of an attempt that was answered, when the next one reaches nothing", () =>
    Effect.gen(function*() {
      const { one } = yield* makeInstances(gsc, { [quota]: 2 })
      const permit = yield* after(one.take(jane, serviceCaller(connectionId)))
      for (let attempt = 0; attempt < 2; attempt++) yield* after(permit.attempt() ?? Effect.void)
      yield* after(permit.learn({ status: 404, retryAfter: undefined, body: () => ({}) }))
      permit.end(true)
      yield* TestClock.adjust(1000)
      for (const expected of [true, false]) assert.strictEqual(yield* isSent(one, jane, { status: 500 }), expected)
    }).pipe(Effect.scoped))

  it.effect.each([401, 403, 404])(
    "is not used by requests that are answered with %s",
    (status) =>
      Effect.gen(function*() {
        const { one } = yield* makeInstances(gsc, { [quota]: 2 })
        assert.isTrue(yield* isSent(one, jane))
        for (let sent = 0; sent < 5; sent++) {
          for (const request of [jane, joe]) assert.isTrue(yield* isSent(one, request, { status }))
        }
        assert.isTrue(yield* isSent(one, jane))
        assert.isFalse(yield* isSent(one, jane))
      }).pipe(Effect.scoped)
  )
})
