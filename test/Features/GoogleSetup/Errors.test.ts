import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { sitesList } from "../../Http/Fixture.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { keyFile } from "../../support/ServiceAccountFile.ts"
import { freshGrant, seed, TestDataDir, TestServer } from "../../support/TestServer.ts"
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

const file = "1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde"
const disabled = (origin: string): Script => ({ api: { [origin]: denied("SERVICE_DISABLED") } })
const properties = { provider: "ga4", endpoint: "properties.getMetadata", input: { path: { property: "1" } } }
const sheet = { provider: "gsheets", endpoint: "spreadsheets.get", input: { path: { spreadsheetId: file } } }
const document = { provider: "gdocs", endpoint: "documents.get", input: { path: { documentId: file } } }

const causes: ReadonlyArray<readonly [check: string, call: Readonly<Record<string, unknown>>, Script]> = [
  ["scopes_granted", sitesList, { api: { gsc: denied("ACCESS_TOKEN_SCOPE_INSUFFICIENT") } }],
  ["resource_shared", sitesList, { api: { gsc: denied() } }],
  ["client_secret", sitesList, { refresh: refusal(401, "invalid_client", "Unauthorized") }],
  ["api_enabled.gsc", sitesList, disabled("gsc")],
  ["api_enabled.ga4", properties, disabled("ga4Data")],
  ["api_enabled.gsheets", sheet, disabled("gsheets")],
  ["api_enabled.gdocs", document, disabled("gdocs")]
]

layer(TestServer.make({ GOOGLE_CLIENT_ID: clientId }))("An error that the set-up causes", (it) => {
  it.effect.each(causes)("names %s to programs and agents", ([id, call, script]) =>
    Effect.gen(function*() {
      yield* play(script)
      const { access_token, refresh_token } = freshGrant(id)
      const { readOnly } = yield* seed({
        provider: String(call["provider"]),
        credentials: script.refresh === undefined ? { refresh_token, access_token } : { refresh_token }
      })
      const { json } = yield* (yield* TestServer).call(readOnly, call)
      assert.nestedPropertyVal(json, "error.check.id", id)
      assert.nestedProperty(json, "error.check.fix")
      assert.nestedProperty(json, "error.check.url")
      const { value } = yield* callTool(readOnly, "call_read_endpoint", call)
      assert.nestedPropertyVal(value, "error.check.id", id)
    }))

  it.effect("is named when a Workspace wants its accounts to sign in again", () =>
    Effect.gen(function*() {
      yield* play({ refresh: { status: 400, body: { error: "invalid_grant", error_subtype: "invalid_rapt" } } })
      const { readOnly } = yield* seed({ credentials: { refresh_token: freshGrant("rapt").refresh_token } })
      const { json } = yield* (yield* TestServer).call(readOnly, sitesList)
      assert.nestedPropertyVal(json, "error.code", "credentials_expired")
      assert.nestedPropertyVal(json, "error.check.id", "admin_policy")
      assert.notNestedProperty(json, "error.details")
    }))

  it.effect("is named by connection tests, also of credentials that are not stored yet, and by lists of resources", () =>
    Effect.gen(function*() {
      yield* play({ assertion: refusal(400, "invalid_grant", "Invalid JWT Signature."), ...disabled("gsc") })
      const { adminToken: key, request } = yield* TestServer
      const { connection: { id } } = yield* seed()
      const robot = { auth_type: "service_account", credentials: keyFile, test: true }
      const asked: ReadonlyArray<readonly [string, string, string, unknown?]> = [
        ["api_enabled.gsc", "POST", `/${id}/test`],
        ["api_enabled.gsc", "GET", `/${id}/resources`],
        ["service_account_key", "POST", "", { ...robot, provider: "gsheets", label: "A robot" }],
        ["service_account_key", "PUT", `/${id}/credentials`, robot]
      ]
      for (const [check, method, path, body] of asked) {
        const { json } = yield* request(method, `/admin/v1/connections${path}`, { key, body })
        assert.nestedPropertyVal(json, "error.check.id", check, path)
      }
    }))

  it.effect("is absent from other errors", () =>
    Effect.gen(function*() {
      yield* play({ api: { gsc: { status: 404, body: { error: { code: 404, message: "Not found", errors: [] } } } } })
      const { readOnly } = yield* seed()
      const { json } = yield* (yield* TestServer).call(readOnly, sitesList)
      assert.nestedProperty(json, "error.code")
      assert.notNestedProperty(json, "error.check")
    }))
})

const origins = LoopbackUpstream.originsLayer.pipe(Layer.provideMerge(LoopbackUpstream.layer))

/** Runs on an instance of its own, on the database of the one before. */
const onNextInstance = Effect.provide(Layer.fresh(TestServer.on({ origins }, { GOOGLE_CLIENT_ID: clientId })))

layer(TestDataDir.layer)("A sign-in that Google refuses", (it) => {
  it.effect("names why, which every instance knows until one works", () =>
    Effect.gen(function*() {
      yield* Effect.gen(function*() {
        yield* play({})
        const { json } = yield* signIn("error=admin_policy_enforced")
        assert.nestedPropertyVal(json, "error.check.id", "admin_policy")
        assert.nestedPropertyVal((yield* signIn("error=org_internal")).json, "error.check.id", "consent_user")
        assert.notNestedProperty(
          (yield* signIn("error=access_denied")).json,
          "error.check",
          "the person pressed Cancel"
        )
      }).pipe(onNextInstance)
      yield* Effect.gen(function*() {
        yield* play({})
        assert.deepStrictEqual(yield* wrong, ["consent_user", "admin_policy"])
        assert.strictEqual((yield* signIn("code=4%2Fright")).status, 200)
        assert.deepStrictEqual(yield* wrong, [])
      }).pipe(onNextInstance)
    }))
})
