import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { authTypesOf } from "../../../src/Providers/Provider.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { readRequest } from "../../support/SitesearchReference.ts"
import { accessBy, apiKey, callSitesearch } from "../Sitesearch/Connection.ts"
import type { Check } from "./Check.ts"

export const sitesearchChecks: ReadonlyArray<Check> = [
  {
    says: "the provider reads the input unchanged, with each kind of credentials",
    of: (operation) =>
      "tool" in operation || operation.provider.id !== "sitesearch" ? undefined : Effect.gen(function*() {
        const { endpoint, inputs, provider } = operation
        const loopback = yield* LoopbackUpstream
        for (const authType of authTypesOf(provider)) {
          for (const input of inputs) {
            loopback.handle((request) => ({ body: { d: [readRequest(request, "/sitesearch")] } }))
            const answer = yield* callSitesearch(endpoint, input, accessBy(authType))
            const { body, query = body } = Object(input)
            assert.deepStrictEqual(answer.value, { d: [{ method: endpoint.id, parameters: query ?? {} }] })
            const [request] = loopback.requests
            assert.strictEqual(request?.headers.authorization, authType === "oauth" ? "Bearer first" : undefined)
            assert.strictEqual(request?.url.endsWith(`apikey=${apiKey}`), authType === "api_key")
          }
        }
      })
  },
  {
    says: "accepts either scope to read and only webmaster.manage to write",
    of: (operation) =>
      "tool" in operation || operation.provider.id !== "sitesearch" ? undefined : Effect.sync(() => {
        const { scopes, writes } = operation.endpoint
        assert.deepStrictEqual(scopes, writes ? ["webmaster.manage"] : ["webmaster.read", "webmaster.manage"])
      })
  }
]
