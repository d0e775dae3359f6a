import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestServer } from "../support/TestServer.ts"

layer(TestServer.layer, { excludeTestServices: true })("A server on an ephemeral port", (it) => {
  it.effect("sends people back to its port after a sign-in", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { authorize_url } = yield* server.admin.connect.start({ payload: { provider: "gsc", label: "Acme" } })
      assert.strictEqual(
        new URL(authorize_url).searchParams.get("redirect_uri"),
        `${server.url.replace("127.0.0.1", "localhost")}/connect/callback`
      )
    }))
})
