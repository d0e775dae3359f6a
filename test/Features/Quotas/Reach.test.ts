import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import type { QuotaRequest } from "../../../src/Features/Quotas/Quotas.ts"
import { urlInspectionIndexInspect } from "../../../src/Providers/Gsc/Endpoints.ts"
import { gsc } from "../../../src/Providers/Gsc/Provider.ts"
import { serviceCaller } from "../../../src/Providers/Sending/Caller.ts"
import { after, connectionId, type Instance, makeInstances } from "./World.ts"

const requestOf = (account: string): QuotaRequest => ({
  provider: gsc,
  endpoint: urlInspectionIndexInspect,
  input: { body: { siteUrl: "sc-domain:acme.com", inspectionUrl: "https://acme.com/" } },
  access: { quotaAccount: Effect.succeed({ project: "ours", account }) }
})
const [jane, joe] = [requestOf("jane@acme.com"), requestOf("joe@acme.com")]

/** False if the quota refuses it. */
const isSent = Effect.fnUntraced(function*({ quotas }: Instance, request: QuotaRequest, status = 200) {
  const exit = yield* after(Effect.exit(quotas.take(request, { ...serviceCaller(connectionId), waitMillis: 0 })))
  if (Exit.isFailure(exit)) return false
  exit.value.attempt()
  yield* after(exit.value.learn({ status, retryAfter: undefined, body: () => ({}) }))
  exit.value.end(true)
  yield* TestClock.adjust(50)
  return true
})

const quota = "gsc.inspection.resource"

describe("A quota of a resource", () => {
  it.effect("counts for all callers what accounts send that have reached it within a day, in any instance", () =>
    Effect.gen(function*() {
      const [one = assert.fail(), other = assert.fail()] = yield* makeInstances(gsc, { [quota]: 2 })
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
      for (const expected of [true, true, false]) assert.strictEqual(yield* isSent(other, joe, 500), expected)
    }).pipe(Effect.scoped))

  it.effect("costs one look-up, and none once the account is known", () =>
    Effect.gen(function*() {
      const [one = assert.fail()] = yield* makeInstances(gsc, {}, 1)
      for (let sent = 0; sent < 20; sent++) assert.isTrue(yield* isSent(one, jane))
      assert.strictEqual(one.lookups(), 1)
    }).pipe(Effect.scoped))

  it.effect.each([401, 403, 404])(
    "is not used by requests that are answered with %s",
    (status) =>
      Effect.gen(function*() {
        const [one = assert.fail()] = yield* makeInstances(gsc, { [quota]: 2 }, 1)
        assert.isTrue(yield* isSent(one, jane))
        for (let sent = 0; sent < 5; sent++) {
          for (const request of [jane, joe]) assert.isTrue(yield* isSent(one, request, status))
        }
        assert.isTrue(yield* isSent(one, jane))
        assert.isFalse(yield* isSent(one, jane))
      }).pipe(Effect.scoped)
  )
})
