import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { serviceCaller } from "../../../src/Providers/Quotas/QuotaCaller.ts"
import { getUserSites } from "../../../src/Providers/Sitesearch/Endpoints.ts"
import { sitesearch } from "../../../src/Providers/Sitesearch/Provider.ts"
import { after, connectionId, makeInstances } from "./World.ts"

const request = {
  provider: sitesearch,
  endpoint: getUserSites,
  input: {},
  access: { quotaAccount: Effect.succeed({ project: undefined, account: "jane@acme.com" }) }
}

describe("The first call of a quota", () => {
  it.effect("is told what is left as the list says it, with the units taken ahead", () =>
    Effect.gen(function*() {
      const [instance] = yield* makeInstances(sitesearch, { "sitesearch.calls.account": 100 }, 1)
      if (instance === undefined) return assert.fail("an instance")
      const caller = serviceCaller(connectionId)
      yield* after(instance.quotas.take(request, caller))
      const [listed] = yield* after(instance.quotas.list([connectionId]))
      assert.deepStrictEqual([caller.scarcest?.remaining, listed?.remaining], [99, 99])
    }).pipe(Effect.scoped))
})
