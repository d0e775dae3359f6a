import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { GoogleCheck } from "../../../src/Features/GoogleSetup/Contract.ts"
import { runOaOnServer } from "../../Cli/RunCli.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { TestServer } from "../../support/TestServer.ts"
import { clientId, connectAll, denied, play, refusal, type Script, tokens } from "./ScriptedGoogle.ts"

const faults: Readonly<Record<string, Script>> = {
  clock: { date: "Tue, 01 Jan 2030 00:00:00 GMT" },
  client_id: {
    authorize: "invalid_client",
    secret: refusal(401, "invalid_client", "The OAuth client was not found.")
  },
  client_secret: { secret: refusal(401, "invalid_client", "The provided client secret is invalid.") },
  client_deleted: { authorize: "deleted_client", secret: refusal(401, "deleted_client") },
  redirect_uri: { authorize: "redirect_uri_mismatch" },
  "api_enabled.gsc": { api: { gsc: denied("SERVICE_DISABLED") } },
  "api_enabled.ga4": { api: { ga4Data: denied("SERVICE_DISABLED") } },
  "api_enabled.gdocs": { api: { gdocs: denied("SERVICE_DISABLED") } },
  consent_testing: { refresh: tokens({ refresh_token_expires_in: 604_799 }) },
  consent_user: { refresh: refusal(403, "org_internal") },
  admin_policy: { refresh: refusal(400, "admin_policy_enforced") },
  scopes_granted: { refresh: tokens({ scope: "openid" }) },
  service_account_key: { assertion: refusal(400, "invalid_grant", "Invalid JWT Signature.") },
  service_account_deleted: { assertion: refusal(400, "invalid_grant", "Invalid grant: account not found") },
  delegation: { assertion: refusal(401, "unauthorized_client", "Client is unauthorized.") },
  resource_shared: { api: { gsheets: denied() } }
}

const pairs: ReadonlyArray<readonly [string, string]> = [
  ["clock", "service_account_key"],
  ["client_secret", "redirect_uri"],
  ["redirect_uri", "api_enabled.gsc"],
  ["consent_testing", "resource_shared"],
  ["api_enabled.ga4", "delegation"]
]

const check = Effect.gen(function*() {
  const { checks } = yield* (yield* TestServer).admin.googleSetup.check()
  return checks
})

/** Those that say what to do first. */
const wrong = (checks: ReadonlyArray<GoogleCheck>) => checks.flatMap(({ id, status }) => status === "wrong" ? [id] : [])

const settings = { GOOGLE_CLIENT_ID: clientId }

const Connected = Layer.effectDiscard(Effect.repeat(connectAll, { times: 3 })).pipe(
  Layer.provideMerge(TestServer.make(settings))
)

layer(Connected)("A project at Google", (it) => {
  it.effect("is asked at most 30 questions, and changes no connection", () =>
    Effect.gen(function*() {
      yield* play({})
      const { admin } = yield* TestServer
      const before = yield* admin.managedConnections.list({ query: {} })
      const checks = yield* check
      assert.deepStrictEqual(wrong(checks), [])
      const open = checks.flatMap(({ id, status }) => status === "ok" ? [] : [id])
      assert.deepStrictEqual(open, [])
      assert.isAtMost((yield* LoopbackUpstream).requests.length, 30)
      assert.deepStrictEqual(yield* admin.managedConnections.list({ query: {} }), before)
    }))

  for (const [id, script] of Object.entries(faults)) {
    it.effect(`with the fault ${id} alone has that first`, () =>
      Effect.gen(function*() {
        yield* play(script)
        const checks = yield* check
        assert.deepStrictEqual(wrong(checks), [id])
        assert.isString(checks[0]?.found)
        assert.isString(checks[0]?.fix)
        const oa = yield* runOaOnServer(["google", "check"])
        assert.strictEqual(oa.exitCode, 1)
        assert.include(oa.stdout.split("\n")[0], id)
        assert.notInclude(oa.stdout, "GOCSPX")
      }))
  }

  for (const pair of pairs) {
    it.effect(`with the faults ${pair.join(" and ")} has the cause first`, () =>
      Effect.gen(function*() {
        const [first, second] = pair.map((id): Script => faults[id] ?? {})
        yield* play({ ...second, ...first, api: { ...second?.api, ...first?.api } })
        assert.deepStrictEqual(wrong(yield* check).slice(0, 1), pair.slice(0, 1))
      }))
  }
})

describe("Settings", () => {
  const cases: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, Script]> = [
    ["base_url", { ...settings, BASE_URL: "http://accounts.example.com" }, { authorize: "invalid_request" }],
    ["base_url", { ...settings, BASE_URL: "https://nas.local" }, {}]
  ]
  for (const [id, values, script] of cases) {
    layer(TestServer.make(values))(`like ${values["BASE_URL"]}`, (it) => {
      it.effect(`make ${id} wrong`, () =>
        Effect.gen(function*() {
          yield* play(script)
          assert.deepStrictEqual(wrong(yield* check), [id])
        }))
    })
  }

  layer(TestServer.make({ GOOGLE_CLIENT_ID: "", GOOGLE_CLIENT_SECRET: "" }))("without a client", (it) => {
    it.effect("say what to do first", () =>
      Effect.gen(function*() {
        yield* play({})
        const checks = yield* check
        assert.deepStrictEqual(checks.slice(0, 2).map(({ id, status }) => [id, status]), [
          ["client_id", "todo"],
          ["client_secret", "todo"]
        ])
      }))
  })
})
