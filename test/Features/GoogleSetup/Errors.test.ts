import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { sitesList } from "../../Http/Fixture.ts"
import { freshGrant, seed, TestServer } from "../../support/TestServer.ts"
import { callTool } from "../Mcp/McpFixture.ts"
import { clientId, denied, play, refusal, type Script } from "./ScriptedGoogle.ts"

const signIn = (answer: string) =>
  Effect.gen(function*() {
    const { admin, request } = yield* TestServer
    const { authorize_url } = yield* admin.connect.start({ payload: { provider: "gsc", label: "A sign-in" } })
    const state = new URL(authorize_url).searchParams.get("state")
    return yield* request("GET", `/connect/callback?state=${state}&${answer}`)
  })

const wrong = Effect.gen(function*() {
  const { checks } = yield* (yield* TestServer).admin.googleSetup.check()
  return checks.flatMap(({ id, status }) => status === "wrong" ? [id] : [])
})

layer(TestServer.make({ GOOGLE_CLIENT_ID: clientId }))("An error that the set-up causes", (it) => {
  const calls: ReadonlyArray<readonly [string, Script]> = [
    ["api_enabled.gsc", { api: { gsc: denied("SERVICE_DISABLED") } }],
    ["scopes_granted", { api: { gsc: denied("ACCESS_TOKEN_SCOPE_INSUFFICIENT") } }],
    ["resource_shared", { api: { gsc: denied() } }],
    ["client_secret", { refresh: refusal(401, "invalid_client", "Unauthorized") }]
  ]
  for (const [id, script] of calls) {
    it.effect(`names ${id} to programs and agents`, () =>
      Effect.gen(function*() {
        yield* play(script)
        const { access_token, refresh_token } = freshGrant(id)
        const { connection, readOnly } = yield* seed({
          credentials: script.refresh === undefined ? { refresh_token, access_token } : { refresh_token }
        })
        const { call } = yield* TestServer
        const { json } = yield* call(readOnly, { ...sitesList, connection_id: connection.id })
        assert.nestedPropertyVal(json, "error.check.id", id)
        assert.nestedProperty(json, "error.check.fix")
        assert.nestedProperty(json, "error.check.url")
        const { value } = yield* callTool(readOnly, "call_read_endpoint", sitesList)
        assert.nestedPropertyVal(value, "error.check.id", id)
      }))
  }

  it.effect("is absent from other errors", () =>
    Effect.gen(function*() {
      yield* play({ api: { gsc: { status: 404, body: { error: { code: 404, message: "Not found", errors: [] } } } } })
      const { readOnly } = yield* seed()
      const { json } = yield* (yield* TestServer).call(readOnly, sitesList)
      assert.nestedProperty(json, "error.code")
      assert.notNestedProperty(json, "error.check")
    }))

  it.effect("names what refused a sign-in, until one works", () =>
    Effect.gen(function*() {
      yield* play({})
      const { json } = yield* signIn("error=admin_policy_enforced")
      assert.nestedPropertyVal(json, "error.check.id", "admin_policy")
      assert.deepStrictEqual(yield* wrong, ["admin_policy"])
      assert.nestedPropertyVal((yield* signIn("error=org_internal")).json, "error.check.id", "consent_user")
      assert.strictEqual((yield* signIn("code=4%2Fright")).status, 200)
      assert.deepStrictEqual(yield* wrong, [])
    }))
})
