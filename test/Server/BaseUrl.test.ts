import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestServer } from "../support/TestServer.ts"

layer(TestServer.layer, { excludeTestServices: true })("a server on a port that the machine chose", (it) => {
  it.effect("has people come back to that port after a sign-in", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { authorize_url } = yield* server.admin("POST", "/connect", { provider: "gsc", label: "Acme" })
      assert.strictEqual(
        new URL(authorize_url).searchParams.get("redirect_uri"),
        `${server.url}/connect/callback`
      )
    }))
})
