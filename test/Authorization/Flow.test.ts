import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { signedIn } from "../support/SignedIn.ts"
import { TestServer } from "../support/TestServer.ts"
import { authorizationRequest, consent, redeem, refresh, registered, tokensIn } from "./Fixture.ts"

layer(TestServer.layer, { excludeTestServices: true })("An agent", (it) => {
  it.effect("registers, asks for access, gets tokens and refreshes them", () =>
    Effect.gen(function*() {
      const { request: send } = yield* TestServer
      const member = yield* signedIn()
      const clientId = yield* registered()
      const request = authorizationRequest(clientId)
      const callback = yield* consent(member, request, { access: "read_write" })
      assert.strictEqual(callback.searchParams.get("state"), "the-state")
      const first = tokensIn(yield* redeem(clientId, request, callback))
      const second = tokensIn(yield* refresh(clientId, first.refresh_token))
      for (const { access_token, expires_in, refresh_token, scope } of [first, second]) {
        assert.match(access_token, /^oat_[0-9A-Za-z]{38}$/)
        assert.match(refresh_token, /^ort_[0-9A-Za-z]{38}$/)
        assert.strictEqual(expires_in, 86_400)
        assert.strictEqual(scope, "read write")
        const { status } = yield* send("GET", "/v1/connections", { key: access_token })
        assert.strictEqual(status, 200)
      }
    }))
})
