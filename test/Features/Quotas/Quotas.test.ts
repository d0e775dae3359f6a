import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { features } from "../../../src/Features/Features.ts"
import { without } from "../../../src/Features/FeaturesOff.ts"
import { runOaOnServer } from "../../Cli/RunCli.ts"
import { answering, clearRange, seededServer } from "../../Http/Fixture.ts"
import { assertError, errorIn } from "../../support/Answer.ts"
import { eventually } from "../../support/Eventually.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { keyFile } from "../../support/ServiceAccountFile.ts"
import { freshGrant, keyFor, seed, TestServer } from "../../support/TestServer.ts"

const range = { ...clearRange, endpoint: "values.get" }
const sheets = { provider: "gsheets" }

const callAs = Effect.fnUntraced(function*(key: string, body: unknown = range, prefer = "wait=0") {
  const server = yield* TestServer
  return yield* server.request("POST", "/v1/call", { key, body, headers: { prefer } })
})

const Listed = Schema.Struct({
  quotas: Schema.Array(Schema.Struct({
    name: Schema.String,
    provider: Schema.String,
    source: Schema.String,
    connection_id: Schema.NullOr(Schema.String),
    limit: Schema.Finite,
    used: Schema.Finite,
    remaining: Schema.Finite
  }))
})
const quotasOf = Effect.fnUntraced(function*(key: string) {
  const answer = yield* (yield* TestServer).request("GET", "/v1/quotas", { key })
  return Schema.decodeUnknownSync(Listed)(answer.json).quotas
})

const robot = (private_key_id: string, client_email = keyFile.client_email) =>
  seed({ ...sheets, auth_type: "service_account", credentials: { ...keyFile, private_key_id, client_email } })

const dateRanges = [{ startDate: "2026-01-01", endDate: "2026-01-31" }]

const limits = {
  "gsheets.read.account": 5,
  "gsc.inspection_day.resource": 5,
  "ga4.core_tokens_hour.project_resource": 50
}

layer(TestServer.make({ QUOTAS: JSON.stringify(limits) }), { excludeTestServices: true })(
  "QUOTAS",
  (it) => {
    it.effect("refuses a call beyond a limit before it is sent, and takes nothing from other quotas", () =>
      Effect.gen(function*() {
        const { connection, member, readOnly, upstream } = yield* seededServer(
          () => ({ body: { values: [] } }),
          sheets
        )
        for (let sent = 1; sent <= 5; sent++) {
          const answer = yield* callAs(readOnly)
          assert.strictEqual(answer.status, 200, answer.text)
          assert.strictEqual(answer.headers.get("ratelimit-policy"), `"gsheets.read.account";q=5;w=60`)
          const left = new RegExp(`^"gsheets.read.account";r=${5 - sent};t=\\d+$`)
          assert.match(answer.headers.get("ratelimit") ?? "", left)
        }
        const refused = yield* callAs(readOnly)
        const { details } = errorIn(refused)
        const { resets_at, retry_after_seconds } = Object(details)
        assertError(refused, 429, "rate_limited", {
          limited_by: "provider_quota",
          quota: "gsheets.read.account",
          limit: 5,
          resets_at,
          retry_after_seconds
        })
        assert.strictEqual(refused.headers.get("retry-after"), `${retry_after_seconds}`)
        assert.isTrue(retry_after_seconds > 0 && retry_after_seconds <= 61)
        assert.match(resets_at, /^\d{4}-.*Z$/)
        assert.lengthOf(upstream.requests, 5)
        const [account, project = assert.fail("no quota")] = yield* quotasOf(readOnly)
        assert.deepStrictEqual(account, {
          name: "gsheets.read.account",
          provider: "gsheets",
          source: "declared",
          connection_id: connection.id,
          limit: 5,
          used: 5,
          remaining: 0
        })
        const { used, ...rest } = project
        assert.isAtLeast(used, 5)
        assert.deepStrictEqual(rest, {
          name: "gsheets.read.project",
          provider: "gsheets",
          source: "declared",
          connection_id: null,
          limit: 300,
          remaining: 300 - used
        })
        assert.include(errorIn(refused).message, "of 5 units in a minute is used up")

        const key = yield* keyFor(member, { resources: [] })
        assert.lengthOf(yield* quotasOf(key), 2)

        const shown = (...flags: ReadonlyArray<string>) =>
          Effect.map(runOaOnServer(["quotas", ...flags], { key: readOnly, terminal: true }), ({ stdout }) => stdout)
        const all = yield* shown("--provider", "gsheets", "--connection", connection.id)
        assert.match(all, /QUOTA.+FOR.+LEFT.+USED.+RESETS/)
        assert.include(all, "\u001b[31m0 of 5\u001b")
        assert.match(all, /gsheets\.read\.project +the project +2\d\d of 300 /)
        for (const other of [["--provider", "gsc"], ["--connection", "con_x"]]) {
          assert.include(yield* shown(...other), "No call has used a quota")
        }
      }))

    it.effect("is empty for all calls of an account whose quota the provider calls exceeded", () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        const error = {
          code: 429,
          status: "RESOURCE_EXHAUSTED",
          message: "Quota exceeded for quota metric 'Read requests' and limit 'Read requests per minute per user'.",
          details: [{ metadata: { quota_limit: "ReadRequestsPerMinutePerUser" } }]
        }
        upstream.handle(() => ({ status: 429, headers: { "retry-after": "86400" }, body: { error } }))
        // What a caller says of the account makes it no other's.
        const labelled = { ...sheets, external_account: "jane@example.com" }
        const [{ readOnly }, other] = [yield* seed(labelled), yield* seed(labelled)]
        assert.strictEqual(errorIn(yield* callAs(readOnly)).code, "upstream_error")
        upstream.handle(() => ({ body: { values: [] } }))
        const refused = yield* callAs(readOnly)
        assert.strictEqual(refused.status, 429)
        assert.include(refused.text, `"quota":"gsheets.read.account"`)
        assert.isAtMost(Object(errorIn(refused).details).retry_after_seconds, 61)
        assert.lengthOf(upstream.requests, 0)
        // Another account of the project goes on.
        assert.strictEqual((yield* callAs(other.readOnly)).status, 200)
      }))

    it.effect("counts connections of one account together that were made by signing in to it", () =>
      Effect.gen(function*() {
        const { admin, request } = yield* TestServer
        const upstream = yield* LoopbackUpstream
        let grants = 0
        const signIn = Effect.fnUntraced(function*(client_id: string, email_verified: boolean) {
          upstream.handle(({ url }) => ({
            body: url === "/googleUserinfo"
              ? { email: "jane@example.com", email_verified }
              : { ...freshGrant(`signed-in-${++grants}`), expires_in: 3599, token_type: "Bearer" }
          }))
          const { authorize_url } = yield* admin.connect.start({ payload: { ...sheets, label: "Jane", client_id } })
          const state = new URL(authorize_url).searchParams.get("state") ?? ""
          assert.strictEqual((yield* request("GET", `/connect/callback?code=x&state=${state}`)).status, 200)
          return (yield* admin.managedConnections.list({ query: { client_id } })).connections[0]?.id
        })
        const members = [yield* seed(), yield* seed(), yield* seed()]
        const calls = yield* Effect.forEach(
          members,
          ({ client, readOnly }, index) =>
            Effect.map(signIn(client.id, index < 2), (connection_id) => callAs(readOnly, { ...range, connection_id }))
        )
        upstream.handle(() => ({ body: { values: [] } }))
        const [one = assert.fail(), other = assert.fail(), unverified = assert.fail()] = calls
        for (const call of [one, one, one, other, other]) assert.strictEqual((yield* call).status, 200)
        assert.deepStrictEqual([(yield* one).status, (yield* other).status], [429, 429])
        assert.strictEqual((yield* unverified).status, 200)
      }))

    it.effect("takes the account and project of a service account from the address that its key signs for", () =>
      Effect.gen(function*() {
        const [owner, forger] = [yield* robot("own"), yield* robot("forged")]
        const elsewhere = yield* robot("own", "robot@elsewhere.iam.gserviceaccount.com")
        const loud = yield* robot("own", keyFile.client_email.toUpperCase())
        yield* answering(({ body, url }) => {
          if (url !== "/googleToken") return { body: { values: [] } }
          const [header = ""] = new URLSearchParams(body).get("assertion")?.split(".") ?? []
          return Buffer.from(header, "base64url").includes("forged")
            ? { status: 400, body: { error: "invalid_grant" } }
            : { body: { access_token: "ya29.robot-0123456789", expires_in: 3599, token_type: "Bearer" } }
        })
        const ask = ({ readOnly }: typeof owner) => Effect.map(callAs(readOnly), ({ status }) => status)
        assert.deepStrictEqual([yield* ask(owner), yield* ask(elsewhere)], [200, 200])
        for (let sent = 0; sent < 6; sent++) assert.strictEqual(yield* ask(forger), 502)
        const used = ({ readOnly }: typeof owner) =>
          Effect.map(quotasOf(readOnly), (all) => all.map(({ used }) => used))
        assert.deepStrictEqual([yield* used(owner), yield* used(elsewhere), yield* used(forger)], [[1, 1], [1, 1], []])
        assert.deepStrictEqual([yield* ask(owner), yield* ask(loud), yield* used(loud)], [200, 200, [3, 3]])
      }))

    it.effect.each([
      {
        quota: "gsc.inspection_day.resource",
        units: 1,
        error: "Quota exceeded: queries per day",
        body: {
          provider: "gsc",
          endpoint: "urlInspection.index.inspect",
          input: { body: { siteUrl: "sc-domain:acme.com", inspectionUrl: "https://acme.com/" } }
        }
      },
      {
        quota: "ga4.core_tokens_hour.project_resource",
        units: 10,
        error: "Exhausted property tokens for a project per hour.",
        body: {
          provider: "ga4",
          endpoint: "properties.runReport",
          input: { path: { property: "123" }, body: { metrics: [{ name: "sessions" }], dateRanges } }
        }
      }
    ])(
      "$quota is used, seen and emptied only by accounts that reach the resource",
      ({ body, error, quota, units }) =>
        Effect.gen(function*() {
          const upstream = yield* LoopbackUpstream
          const { provider } = body
          const [owner, colleague, throttled, stranger] = [
            yield* seed({ provider }),
            yield* seed({ provider }),
            yield* seed({ provider }),
            yield* seed({ provider })
          ]
          /** Whom the provider throttles, and whom it shows nothing. */
          const answer = (throttles: ReadonlyArray<string>, ...refuses: ReadonlyArray<string>) =>
            upstream.handle(({ headers }) => {
              const isOf = (name: string) => headers.authorization?.includes(`-${name}-`)
              if (throttles.some(isOf)) return { status: 429, body: { error: { code: 429, message: error } } }
              return refuses.some(isOf)
                ? { status: 403, body: { error: { code: 403, message: "No access" } } }
                : { body: {} }
            })
          const ask = ({ readOnly }: typeof owner) =>
            Effect.map(callAs(readOnly, body), (answer) => answer.status === 200 ? 200 : errorIn(answer).code)
          const used = ({ readOnly }: typeof owner) =>
            Effect.map(quotasOf(readOnly), (all) => all.find(({ name }) => name === quota)?.used)

          answer([throttled.name], stranger.name)
          for (let sent = 0; sent < 7; sent++) assert.strictEqual(yield* ask(stranger), "upstream_error")
          assert.deepStrictEqual([yield* ask(throttled), yield* ask(throttled)], ["upstream_error", "rate_limited"])
          assert.deepStrictEqual([yield* ask(owner), yield* ask(owner), yield* ask(colleague)], [200, 200, 200])
          assert.deepStrictEqual(
            [yield* used(owner), yield* used(colleague), yield* used(stranger)],
            [3 * units, 3 * units, undefined]
          )
          answer([owner.name], stranger.name)
          assert.deepStrictEqual([yield* ask(owner), yield* ask(colleague)], ["upstream_error", "rate_limited"])
          assert.strictEqual(yield* ask(stranger), "upstream_error")
        })
    )

    it.effect.each([{ status: 200, ErrorCode: 4, shown: 502 }, { status: 503, ErrorCode: 4, shown: 503 }])(
      "sends site search nothing after it throttles with the status $status and the code $ErrorCode",
      ({ ErrorCode, shown, status }) =>
        Effect.gen(function*() {
          const upstream = yield* answering(() => ({ status, body: { ErrorCode, Message: "ERROR!!! Throttle" } }))
          const { readOnly } = yield* seed({ provider: "sitesearch" })
          const call = callAs(readOnly, { provider: "sitesearch", endpoint: "GetUserSites", input: {} })
          const first = yield* call
          assert.deepStrictEqual([first.status, errorIn(first).code], [shown, "upstream_error"])
          const refused = yield* call
          assert.strictEqual(refused.status, 429)
          assert.include(refused.text, `"quota":"sitesearch.calls.account"`)
          assert.lengthOf(upstream.requests, 1)
        })
    )
  }
)

layer(TestServer.layer, { excludeTestServices: true })("A budget", (it) => {
  it.effect("of a key and of its member limit the calls of a day that reach the provider", () =>
    Effect.gen(function*() {
      const { member, readOnly, server } = yield* seededServer(() => ({ body: { values: [] } }), sheets)
      const key = yield* keyFor(member, { access: "read_only", budget: { calls_per_day: 2 } })
      const call = (key: string, max_age = 0) => server.call(key, { ...range, max_age })
      // The cache answers the second.
      for (const max_age of [0, 60, 0]) assert.strictEqual((yield* call(key, max_age)).status, 200)
      const refused = yield* call(key)
      assert.strictEqual(refused.status, 429)
      assert.include(refused.text, `"limited_by":"budget","quota":"calls_per_day","limit":2`)
      assert.match(refused.text, /"resets_at":"[\d-]+T00:00:00\.000Z"/)
      assert.strictEqual((yield* call(readOnly)).status, 200)

      yield* server.admin.members.change({ params: { id: member.id }, payload: { budget: { calls_per_day: 0 } } })
      yield* eventually(call(readOnly), ({ status }) => status === 429)
    }))
})

const Without = TestServer.make({ QUOTAS: JSON.stringify(limits) }, { features: without(features, "quotas") })

layer(Without, { excludeTestServices: true })("A server without quotas", (it) => {
  it.effect("counts no call, neither to a quota nor to a budget", () =>
    Effect.gen(function*() {
      const { member } = yield* seededServer(() => ({ body: { values: [] } }), sheets)
      const key = yield* keyFor(member, { budget: { calls_per_day: 1 } })
      for (let sent = 1; sent <= 6; sent++) {
        const { headers, status } = yield* callAs(key)
        assert.deepStrictEqual([status, headers.get("ratelimit")], [200, null])
      }
    }))
})
