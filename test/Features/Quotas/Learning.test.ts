import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { QuotaRequest } from "../../../src/Features/Quotas/Quotas.ts"
import { propertiesRunReport } from "../../../src/Providers/Ga4/Endpoints.ts"
import { ga4 } from "../../../src/Providers/Ga4/Provider.ts"
import { valuesGet } from "../../../src/Providers/Gsheets/Endpoints.ts"
import { gsheets } from "../../../src/Providers/Gsheets/Provider.ts"
import { serviceCaller } from "../../../src/Providers/Sending/Caller.ts"
import { after, connectionId, isSent, makeInstances } from "./World.ts"

const report: QuotaRequest = {
  provider: ga4,
  endpoint: propertiesRunReport,
  input: { path: { property: "123" }, body: { returnPropertyQuota: true } },
  access: { quotaAccount: Effect.succeed({ project: "acme", account: "jane@acme.com" }) }
}

const remaining = (tokens: number) => ({
  body: () => ({ propertyQuota: { tokensPerProjectPerHour: { consumed: 3, remaining: tokens } } })
})

describe("A report of what is left", () => {
  it.effect("of nothing refuses the next call, in any instance", () =>
    Effect.gen(function*() {
      const { one, other } = yield* makeInstances(ga4)
      assert.isTrue(yield* isSent(one, report, remaining(0)))
      for (const instance of [one, other]) assert.isFalse(yield* isSent(instance, report))
    }).pipe(Effect.scoped))

  it.effect("is what the list says, as it says what the first call is told", () =>
    Effect.gen(function*() {
      const reported = yield* makeInstances(ga4)
      yield* isSent(reported.one, report, remaining(1205))
      const tokens = (yield* after(reported.one.list([connectionId])))
        .find(({ name }) => name === "ga4.core_tokens_hour.project_resource")
      assert.strictEqual(tokens?.remaining, 1205)
      const { one } = yield* makeInstances(gsheets, { "gsheets.read.account": 100 })
      const caller = serviceCaller(connectionId)
      const input = { path: { spreadsheetId: "leads", range: "A1" } }
      yield* after(one.take({ ...report, provider: gsheets, endpoint: valuesGet, input }, caller))
      const [first] = yield* after(one.list([connectionId]))
      assert.deepStrictEqual([caller.scarcest?.remaining, first?.remaining], [99, 99])
    }).pipe(Effect.scoped))
})

describe("Server errors of GA4", () => {
  it.effect("refuse a property after eight in an hour, whatever requests are under way", () =>
    Effect.gen(function*() {
      const { one, other } = yield* makeInstances(ga4)
      for (let sent = 0; sent < 20; sent++) assert.isTrue(yield* isSent(one, report))
      for (let sent = 0; sent < 8; sent++) {
        assert.isTrue(yield* isSent(sent % 2 === 0 ? one : other, report, { status: 500 }))
      }
      for (const instance of [one, other]) assert.isFalse(yield* isSent(instance, report))
    }).pipe(Effect.scoped))
})
