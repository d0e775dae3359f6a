import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { GoogleCheck } from "../../../src/Features/GoogleSetup/Contract.ts"
import { runOaOnServer } from "../../Cli/RunCli.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { TestServer } from "../../support/TestServer.ts"
import { clientId, connectAll, denied, play, refusal, type Script, tokens } from "./ScriptedGoogle.ts"

const withoutApi = (origin: string): Script => ({ api: { [origin]: denied("SERVICE_DISABLED") } })

/** Each is found alone, in the order of causes. */
const faults: Readonly<Record<string, Script>> = {
  base_url: { authorize: "invalid_request" },
  egress: { isUnreachable: true },
  clock: { date: "Tue, 01 Jan 2030 00:00:00 GMT" },
  client_id: { authorize: "invalid_client", secret: refusal(401, "invalid_client", "The OAuth client was not found.") },
  client_secret: { secret: refusal(401, "invalid_client", "The provided client secret is invalid.") },
  client_deleted: { authorize: "deleted_client", secret: refusal(401, "deleted_client") },
  redirect_uri: { authorize: "redirect_uri_mismatch" },
  "api_enabled.gsc": withoutApi("gsc"),
  "api_enabled.ga4": withoutApi("ga4Data"),
  "api_enabled.gsheets": withoutApi("gsheets"),
  "api_enabled.gdocs": withoutApi("gdocs"),
  consent_testing: { refresh: tokens({ refresh_token_expires_in: 604_799 }) },
  consent_user: { refresh: refusal(403, "org_internal") },
  admin_policy: { refresh: refusal(400, "admin_policy_enforced") },
  scopes_granted: { refresh: tokens({ scope: "openid" }) },
  service_account_key: { assertion: refusal(400, "invalid_grant", "Invalid JWT Signature.") },
  service_account_deleted: { assertion: refusal(400, "invalid_grant", "Invalid grant: account not found") },
  delegation: { assertion: refusal(401, "unauthorized_client", "Client is unauthorized.") },
  resource_shared: { api: { gsheets: denied() } }
}

const ids = Object.keys(faults)

/** Without a token, Google says nothing of the APIs. Out of reach, it says nothing at all. */
const withoutToken = (fault: string): RegExp | undefined =>
  fault === "egress"
    ? /./
    : /^(?:consent_user|admin_policy)$/.test(fault)
    ? /^api_enabled\.(?:gsc|ga4|gdocs)$/
    : /^(?:service_account_|delegation)/.test(fault)
    ? /^(?:api_enabled\.gsheets|resource_shared)$/
    : undefined

/** The first of both, unless the second hides it. */
const firstOf = (first: string, second: string): string => withoutToken(second)?.test(first) ? second : first

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

  for (const [index, id] of ids.entries()) {
    it.effect(`with the fault ${id} names it, and beside any later fault names the cause first`, () =>
      Effect.gen(function*() {
        const fault = faults[id] ?? {}
        yield* play(fault)
        const checks = yield* check
        assert.deepStrictEqual(wrong(checks), [id])
        assert.isString(checks[0]?.found)
        assert.isString(checks[0]?.fix)
        const oa = yield* runOaOnServer(["google", "check"])
        assert.strictEqual(oa.exitCode, 1)
        assert.include(oa.stdout.split("\n")[0], id)
        assert.notInclude(oa.stdout, "GOCSPX")
        for (const later of ids.slice(index + 1)) {
          const other = faults[later] ?? {}
          yield* play({ ...other, ...fault, api: { ...other.api, ...fault.api } })
          assert.strictEqual(wrong(yield* check)[0], firstOf(id, later), later)
        }
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
