import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { assertError } from "../support/Answer.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { keyFile } from "../support/ServiceAccountFile.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { manage, sitesList } from "./Fixture.ts"

const apiKey = "f3a9c1d27b604e58912d6c0ab7e4d135"

const create = (provider: string, auth_type: string, credentials: object) =>
  manage("POST", "/connections", { provider, auth_type, label: "Pasted", credentials })

layer(TestServer.layer, { excludeTestServices: true })("Credentials that were pasted", (it) => {
  it.effect("lose the white space around them before they are used", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { connect, readOnly } = yield* seed()
      const { call } = yield* TestServer
      const { id } = yield* connect({
        provider: "sitesearch",
        auth_type: "api_key",
        credentials: { api_key: ` ${apiKey}\n` }
      })
      upstream.handle(() => ({ body: { d: [] } }))
      const { status } = yield* call(readOnly, { provider: "sitesearch", endpoint: "GetUserSites", connection_id: id })
      assert.strictEqual(status, 200)
      assert.include(upstream.requests[0]?.url, `apikey=${apiKey}`)
      assert.notInclude(upstream.requests[0]?.url, "%0A")
    }))

  it.effect("are refreshed with the token that was meant", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { connect, readOnly } = yield* seed()
      const { call } = yield* TestServer
      const { id } = yield* connect({ credentials: { refresh_token: "1//0pasted\n" } })
      upstream.handle(({ url }) =>
        url.startsWith("/googleToken")
          ? { body: { access_token: "ya29.new", expires_in: 3600, token_type: "Bearer" } }
          : { body: {} }
      )
      const { status } = yield* call(readOnly, { ...sitesList, connection_id: id })
      assert.strictEqual(status, 200)
      assert.strictEqual(new URLSearchParams(upstream.requests[0]?.body).get("refresh_token"), "1//0pasted")
    }))

  it.effect("of a service account name its address, and may have their line breaks as \\n", () =>
    Effect.gen(function*() {
      const { json, status } = yield* create("gsc", "service_account", {
        ...keyFile,
        client_email: ` ${keyFile.client_email}\n`,
        private_key: keyFile.private_key.replaceAll("\n", "\\n")
      })
      assert.strictEqual(status, 201)
      assert.include(json, { external_account: keyFile.client_email })
    }))

  it.effect.each(
    [
      ["sitesearch", "api_key", { api_key: "two words" }, "api_key"],
      ["gsc", "oauth", { refresh_token: "1//0a\nb" }, "refresh_token"],
      ["gsc", "service_account", { ...keyFile, client_email: "robot @example.com" }, "client_email"]
    ] as const
  )(
    "are refused with white space inside: %s by %s",
    ([provider, authType, credentials, field]) =>
      Effect.gen(function*() {
        assertError(yield* create(provider, authType, credentials), 400, "invalid_input", [
          { path: ["credentials", field], message: "Expected a text without white space inside" }
        ])
      })
  )
})
