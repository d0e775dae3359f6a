import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { GoogleCheck } from "../../../src/Features/GoogleSetup/Contract.ts"
import { runOaOnServer } from "../../Cli/RunCli.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { TestServer } from "../../support/TestServer.ts"
import { clientId, connectAll, denied, play, refusal, type Script, tokens } from "./ScriptedGoogle.ts"

const faults: Readonly<Record<string, Script>> = {
  egress: { isUnreachable: true },
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
      assert.deepStrictEqual(checks.filter(({ status }) => status !== "ok"), [])
      assert.isAtMost((yield* LoopbackUpstream).requests.length, 30)
      assert.include((yield* runOaOnServer(["google"])).stdout, "Everything that can be seen from here is right.")
      assert.deepStrictEqual(yield* admin.managedConnections.list({ query: {} }), before)
    }))

  for (const ids of [...Object.keys(faults).map((id) => [id]), ...pairs]) {
    it.effect(`with the fault ${ids.join(" and ")} has the cause first`, () =>
      Effect.gen(function*() {
        const [first = {}, second = {}] = ids.map((id) => faults[id] ?? {})
        yield* play({ ...second, ...first, api: { ...second.api, ...first.api } })
        const checks = yield* check
        assert.deepStrictEqual(wrong(checks).slice(0, ids.length === 1 ? undefined : 1), ids.slice(0, 1))
        assert.isString(checks[0]?.found)
        assert.isString(checks[0]?.fix)
        const oa = yield* runOaOnServer(["google", "check"])
        assert.strictEqual(oa.exitCode, 1)
        assert.include(oa.stdout.split("\n")[0], ids[0])
        assert.notInclude(oa.stdout, "GOCSPX")
      }))
  }
})

const cases: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, Script]> = [
  ["wrong base_url", { ...settings, BASE_URL: "http://accounts.example.com" }, { authorize: "invalid_request" }],
  ["wrong base_url", { ...settings, BASE_URL: "https://nas.local" }, {}],
  ["todo client_id", { GOOGLE_CLIENT_ID: "", GOOGLE_CLIENT_SECRET: "", BASE_URL: "https://oa.example.com" }, {}]
]

for (const [first, values, script] of cases) {
  layer(TestServer.make(values))(`The settings ${JSON.stringify(values)}`, (it) => {
    it.effect(`have ${first}, which the guide begins with`, () =>
      Effect.gen(function*() {
        yield* play(script)
        const [top] = yield* check
        assert.strictEqual(`${top?.status} ${top?.id}`, first)
        const { exitCode, stdout } = yield* runOaOnServer(["google"])
        assert.strictEqual(exitCode, 0)
        assert.include(stdout, "searchconsole.googleapis.com")
        assert.include(stdout, `${values["BASE_URL"]}/connect/callback`)
        assert.include(stdout, "Run `oa google` again to go on.")
      }))
  })
}
