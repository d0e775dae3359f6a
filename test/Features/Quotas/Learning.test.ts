import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import type { QuotaRequest } from "../../../src/Features/Quotas/Quotas.ts"
import { propertiesRunReport } from "../../../src/Providers/Ga4/Endpoints.ts"
import { ga4 } from "../../../src/Providers/Ga4/Provider.ts"
import { valuesGet } from "../../../src/Providers/Gsheets/Endpoints.ts"
import { gsheets } from "../../../src/Providers/Gsheets/Provider.ts"
import { serviceCaller } from "../../../src/Providers/Sending/Caller.ts"
import { after, connectionId, makeInstances } from "./World.ts"

const report: QuotaRequest = {
  provider: ga4,
  endpoint: propertiesRunReport,
  input: { path: { property: "123" }, body: { returnPropertyQuota: true } },
  access: { quotaAccount: Effect.succeed({ project: "acme", account: "jane@acme.com" }) }
}

describe("A report of what is left", () => {
  const reported = Effect.fnUntraced(function*(remaining: number) {
    const [instance] = yield* makeInstances(ga4, {}, 1)
    if (instance === undefined) return assert.fail("an instance")
    const body = () => ({ propertyQuota: { tokensPerProjectPerHour: { consumed: 3, remaining } } })
    yield* after(Effect.gen(function*() {
      const permit = yield* instance.quotas.take(report, serviceCaller(connectionId))
      permit.attempt()
      yield* permit.learn({ status: 200, retryAfter: undefined, body })
      permit.end(true)
    }))
    return instance
  })

  it.effect("of nothing refuses the next call", () =>
    Effect.gen(function*() {
      const { quotas } = yield* reported(0)
      const sent = yield* after(Effect.exit(quotas.take(report, { ...serviceCaller(connectionId), waitMillis: 0 })))
      assert.isTrue(Exit.isFailure(sent))
    }).pipe(Effect.scoped))

  it.effect("is what the list says, as it says what the first call is told", () =>
    Effect.gen(function*() {
      const listed = yield* after((yield* reported(1205)).quotas.list([connectionId]))
      const { remaining } = listed.find(({ name }) => name === "ga4.core_tokens_hour.project_resource") ?? assert.fail()
      assert.strictEqual(remaining, 1205)
      const [instance = assert.fail()] = yield* makeInstances(gsheets, { "gsheets.read.account": 100 }, 1)
      const caller = serviceCaller(connectionId)
      const input = { path: { spreadsheetId: "leads", range: "A1" } }
      yield* after(instance.quotas.take({ ...report, provider: gsheets, endpoint: valuesGet, input }, caller))
      const [first] = yield* after(instance.quotas.list([connectionId]))
      assert.deepStrictEqual([caller.scarcest?.remaining, first?.remaining], [99, 99])
    }).pipe(Effect.scoped))
})
