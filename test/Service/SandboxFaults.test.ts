import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { type Fault, type FaultName, faults, retryAfterSeconds } from "../../src/Sandbox/Faults/Faults.ts"
import { type IdentityName, signRefreshToken } from "../../src/Sandbox/Identity/Identity.ts"
import { scopes } from "../../src/Sandbox/Identity/Scopes.ts"
import { leadsId } from "../../src/Sandbox/Providers/Gsheets/Leads.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { newRefreshToken } from "../Sandbox/SandboxFixture.ts"
import { errorIn } from "../support/Answer.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import type { Call } from "./EveryOperation.ts"
import { ownSandbox } from "./SandboxServer.ts"

type Outcome = "200" | `${number} ${string}`

const outcomes: Readonly<Record<FaultName, Outcome>> = {
  "expired-token": "200",
  "refused-token": "401 credentials_expired",
  "revoked-grant": "401 credentials_expired",
  "permission-denied": "403 upstream_error",
  throttled: "429 upstream_error",
  "throttled-retry-after": "429 upstream_error",
  "server-error": "500 upstream_error",
  "html-error": "502 upstream_error",
  "slow-answer": "502 upstream_unreachable",
  "cut-off-answer": "502 upstream_unreachable",
  "not-json": "502 upstream_unreachable"
}

/** Site search responds to all errors with 400. */
const siteSearchOutcomes: typeof outcomes = {
  ...outcomes,
  "permission-denied": "400 upstream_error",
  throttled: "400 upstream_error",
  "throttled-retry-after": "400 upstream_error"
}

interface Reader {
  readonly provider: string
  readonly identity: IdentityName
  readonly scope: string
  readonly outcomes: typeof outcomes
  readonly read: (fault: Fault) => Omit<Call, "provider">
}

const readers: ReadonlyArray<Reader> = [
  {
    provider: "gsc",
    identity: "google",
    scope: scopes.webmasters,
    outcomes,
    read: ({ site }) => ({ endpoint: "sites.get", input: { path: { siteUrl: site } } })
  },
  {
    provider: "sitesearch",
    identity: "sitesearch",
    scope: scopes.webmasterRead,
    outcomes: siteSearchOutcomes,
    read: ({ site }) => ({ endpoint: "GetFeeds", input: { query: { siteUrl: site } } })
  }
]

const decodePage = Schema.decodeUnknownSync(Schema.Struct({ body: Schema.String }))

const callThroughNewConnection = Effect.fnUntraced(
  function*({ identity, provider, read, scope }: Reader, fault: Fault) {
    const server = yield* TestServer
    const { connection, readOnly } = yield* seed({
      provider,
      credentials: { refresh_token: newRefreshToken(identity, scope) },
      scopes: [scope]
    })
    const answer = yield* server.call(readOnly, { provider, ...read(fault), connection_id: connection.id })
    const { connections } = yield* server.api(readOnly).connections.list({ query: {} })
    const outcome = answer.status === 200 ? "200" : `${answer.status} ${errorIn(answer).code}`
    return { ...answer, outcome, connection: connections[0]?.status }
  }
)

const [slow, others] = [true, false].map((isSlow) => faults.filter(({ name }) => (name === "slow-answer") === isSlow))
for (const [tested = [], settings] of [[others], [slow, { UPSTREAM_TIMEOUT: "300 millis" }]] as const) {
  // In real time: the service waits between retries, so the tests wait together.
  layer(ownSandbox(settings), { excludeTestServices: true })("A call for a resource with a fault", (it) => {
    for (const [reader, fault] of readers.flatMap((reader) => tested.map((fault) => [reader, fault] as const))) {
      const outcome = reader.outcomes[fault.name]
      it.effect(`${reader.provider} ${fault.name} returns ${outcome}`, () =>
        Effect.gen(function*() {
          const answer = yield* callThroughNewConnection(reader, fault)
          assert.strictEqual(answer.outcome, outcome, answer.text)
          assert.strictEqual(answer.connection, outcome.includes("credentials_expired") ? "expired" : "active")
          assert.strictEqual(
            answer.headers.get("retry-after"),
            fault.name === "throttled-retry-after" ? `${retryAfterSeconds}` : null
          )
          if (fault.name === "html-error") assert.match(decodePage(errorIn(answer).details).body, /^<!DOCTYPE html>/i)
        }), { concurrent: true })
    }
  })
}

describe("The table of faults", () => {
  it("has the outcome of each fault", () => {
    for (const { outcome, name } of faults) {
      const [status = "", code = ""] = outcomes[name].split(" ")
      const [other = ""] = siteSearchOutcomes[name].split(" ")
      assert.include(outcome, `${status}${other === status ? "" : ` (${other})`}${code === "" ? "" : ` ${code}`}`)
    }
  })
})

const Counting = ownSandbox({ SANDBOX_QUOTAS: "on", QUOTAS: JSON.stringify({ "gsheets.read.account": 2 }) })

layer(Counting, { excludeTestServices: true })("SANDBOX_QUOTAS=on", (it) => {
  it.effect("refuses calls beyond a quota as the provider does, which the service then keeps to", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const sheets = (yield* Sandbox).connections.find(({ provider }) => provider === "gsheets") ??
        assert.fail("no spreadsheets")
      const call = (key: string) =>
        server.request("POST", "/v1/call", {
          key,
          headers: { prefer: "wait=0" },
          body: {
            provider: "gsheets",
            endpoint: "values.get",
            input: { path: { spreadsheetId: leadsId, range: "A1:B2" } }
          }
        })
      const first = yield* seed(sheets)
      assert.deepStrictEqual([(yield* call(first.readOnly)).status, (yield* call(first.readOnly)).status], [200, 200])
      assert.strictEqual(errorIn(yield* call(first.readOnly)).code, "rate_limited")

      // The service does not know that this is the same account, as when another application uses it.
      const grant = { grant: "another", account: sheets.external_account, scope: sheets.scopes.join(" ") }
      const second = yield* seed({ ...sheets, credentials: { refresh_token: signRefreshToken("google", grant) } })
      const refused = yield* call(second.readOnly)
      assert.strictEqual(errorIn(refused).code, "upstream_error")
      assert.include(refused.text, "ReadRequestsPerMinutePerUser")
      assert.strictEqual(errorIn(yield* call(second.readOnly)).code, "rate_limited")
    }))
})
