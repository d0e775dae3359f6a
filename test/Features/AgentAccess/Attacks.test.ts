import { assert, layer } from "@effect/vitest"
import { Context, Duration, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { OAuthTokens } from "../../../src/Auth/OAuthTokens.ts"
import { CurrentAddress } from "../../../src/Domain/Request/CurrentAddress.ts"
import { ClientDocuments } from "../../../src/Features/AgentAccess/Authorization/ClientDocuments.ts"
import { OAuthClients } from "../../../src/Features/AgentAccess/Authorization/OAuthClients.ts"
import { hashOf } from "../../../src/Secrets/SealedPayload.ts"
import { textArray } from "../../../src/Sql/BulkStatement.ts"
import { TwoInstances } from "../../Connections/TwoInstances.ts"
import { eventually } from "../../support/Eventually.ts"
import { RealPostgres } from "../../support/RealPostgres.ts"
import { signedIn } from "../../support/SignedIn.ts"
import { TestServer } from "../../support/TestServer.ts"
import {
  authorizationRequest,
  authorize,
  browserOf,
  consent,
  form,
  grantsOf,
  oauthError,
  pathOf,
  redeem,
  redirectUri,
  refresh,
  registered,
  submit,
  tokensIn
} from "./Fixture.ts"

const baseUrl = "http://accounts.example.com"

const onFirst = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(TwoInstances, ([first]) => Effect.provideContext(effect, first))

const atOnce = <A, E, R>(count: number, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(TwoInstances, (instances) =>
    Effect.forEach(
      Array.from({ length: count }, (_, index) => index % 2 === 0 ? instances[0] : instances[1]),
      (instance) => Effect.provideContext(effect, instance),
      { concurrency: "unbounded" }
    ))

/** All copies read the codes and tokens before one of them changes a row. */
const atOnceAfterReading = <A, E, R>(count: number, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const [first] = yield* TwoInstances
    const sql = Context.get(first, SqlClient.SqlClient)
    const waiting = Effect.map(
      sql<{ readonly waiting: number }>`
        SELECT count(*)::int AS waiting FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
        WHERE NOT granted AND relation = 'oauth_tokens'::regclass AND datname = current_database()`,
      ([row]) => row?.waiting
    )
    const fiber = yield* sql.withTransaction(Effect.gen(function*() {
      yield* sql`LOCK TABLE oauth_tokens IN SHARE MODE`
      const fiber = yield* Effect.forkChild(atOnce(count, effect))
      assert.strictEqual(yield* eventually(waiting, (waiting) => waiting === count), count)
      return fiber
    }))
    return yield* Fiber.join(fiber)
  })

const authorized = Effect.fnUntraced(function*(fields: Parameters<typeof consent>[2] = {}) {
  const member = yield* signedIn()
  const clientId = yield* registered()
  const request = authorizationRequest(clientId)
  const callback = yield* consent(member, request, fields)
  return { member, clientId, request, callback }
})

const withTokens = Effect.fnUntraced(function*(fields: Parameters<typeof consent>[2] = {}) {
  const agent = yield* authorized(fields)
  return { ...agent, tokens: tokensIn(yield* redeem(agent.clientId, agent.request, agent.callback)) }
})

const uses = Effect.fnUntraced(function*(accessToken: string) {
  const { request } = yield* TestServer
  return (yield* request("GET", "/v1/connections", { key: accessToken })).status
})

const assertEnded = Effect.fnUntraced(function*(accessToken: string) {
  const statuses = yield* eventually(
    atOnce(2, uses(accessToken)),
    (statuses) => statuses.every((status) => status === 401)
  )
  assert.deepStrictEqual(statuses, [401, 401])
})

const age = (seconds: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE oauth_tokens SET consumed_at = consumed_at - ${`${seconds} seconds`}::interval`
  )

const revokeGrantsOf = Effect.fnUntraced(function*(member: { readonly id: string }) {
  const { admin } = yield* TestServer
  for (const { id } of yield* grantsOf(member)) yield* admin.grants.revoke({ params: { id } })
})

layer(TwoInstances.layerWith({ BASE_URL: baseUrl }).pipe(Layer.provide(RealPostgres.layer)), {
  excludeTestServices: true
})("On two instances", (it) => {
  it.effect("one code gives one set of tokens, and its second use ends them", () =>
    Effect.gen(function*() {
      const { callback, clientId, request } = yield* onFirst(authorized())
      const answers = yield* atOnceAfterReading(8, redeem(clientId, request, callback))
      const [winner, ...others] = answers.filter(({ status }) => status === 200)
      assert.isDefined(winner)
      assert.lengthOf(others, 0)
      assert.deepStrictEqual(
        new Set(answers.filter(({ status }) => status !== 200).map(oauthError)),
        new Set(["invalid_grant"])
      )
      const { access_token, refresh_token } = tokensIn(winner)
      yield* assertEnded(access_token)
      const [refreshed] = yield* atOnce(1, refresh(clientId, refresh_token))
      assert.strictEqual(oauthError(refreshed), "invalid_grant")
    }))

  it.effect("a code that is used again after its expiry ends its tokens too", () =>
    onFirst(
      Effect.gen(function*() {
        const { callback, clientId, request, tokens } = yield* withTokens()
        const code = callback.searchParams.get("code") ?? ""
        const stored = yield* OAuthTokens
        const { payload } = Option.getOrThrow(yield* stored.find("AuthorizationCode", code))
        const sql = yield* SqlClient.SqlClient
        const kept = yield* sql`
          SELECT 1 FROM oauth_tokens WHERE hash = ${hashOf(code)} AND expires_at > now() + interval '29 days'`
        assert.lengthOf(kept, 1)
        yield* stored.put({
          kind: "AuthorizationCode",
          id: code,
          payload: { ...Object(payload), exp: Math.floor(Date.now() / 1000) - 3600 },
          grantId: undefined,
          scope: undefined,
          lifetime: Duration.hours(1)
        })
        assert.strictEqual(oauthError(yield* redeem(clientId, request, callback)), "invalid_grant")
        assert.strictEqual(yield* eventually(uses(tokens.access_token), (status) => status === 401), 401)
      }).pipe(Effect.provide(Layer.fresh(OAuthTokens.layer)), Effect.scoped)
    ))

  it.effect("parallel refreshes give the same refresh token, and a replay after a minute ends the grant", () =>
    Effect.gen(function*() {
      const { clientId, tokens } = yield* onFirst(withTokens())
      const answers = yield* atOnceAfterReading(8, refresh(clientId, tokens.refresh_token))
      const refreshed = answers.map(tokensIn)
      const [successor = assert.fail("no successor"), ...others] = new Set(
        refreshed.map(({ refresh_token }) => refresh_token)
      )
      assert.lengthOf(others, 0)
      const [next] = yield* atOnce(1, refresh(clientId, successor))
      const { refresh_token: last } = tokensIn(next ?? assert.fail("no answer"))
      const again = (yield* atOnce(2, refresh(clientId, tokens.refresh_token))).map(tokensIn)
      assert.deepStrictEqual(again.map(({ refresh_token }) => refresh_token), [successor, successor])
      const nextAgain = (yield* atOnce(2, refresh(clientId, successor))).map(tokensIn)
      assert.deepStrictEqual(nextAgain.map(({ refresh_token }) => refresh_token), [last, last])
      for (const { access_token } of refreshed) assert.strictEqual(yield* onFirst(uses(access_token)), 200)
      yield* onFirst(age(61))
      const replays = yield* atOnce(4, refresh(clientId, tokens.refresh_token))
      assert.deepStrictEqual(replays.map(oauthError), replays.map(() => "invalid_grant"))
      for (const { access_token, refresh_token } of refreshed.slice(0, 2)) {
        yield* assertEnded(access_token)
        const [later] = yield* atOnce(1, refresh(clientId, refresh_token))
        assert.strictEqual(oauthError(later), "invalid_grant")
      }
    }))

  it.effect("the database has no token, code, or id of a consent, and cannot read what an agent sent", () =>
    onFirst(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const member = yield* signedIn()
      const clientId = yield* registered()
      const { parameters } = authorizationRequest(clientId, { state: "state-in-clear" })
      const pending = yield* authorize(browserOf(member), parameters)
      const uid = pathOf(pending.headers.get("location")).split("/").at(-1) ?? ""
      const { callback, tokens } = yield* withTokens()
      const unused = yield* authorized()
      const tables = yield* sql<{ readonly name: string }>`
        SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`
      const dump = yield* Effect.forEach(tables, ({ name }) => sql`SELECT t::text FROM ${sql(name)} AS t`)
      const codes = [callback, unused.callback].map(({ searchParams }) => `${searchParams.get("code")}`)
      for (const secret of [tokens.access_token, tokens.refresh_token, ...codes, uid, "state-in-clear"]) {
        assert.isAbove(secret.length, 10)
        assert.notInclude(JSON.stringify(dump), secret)
      }
    })))

  it.effect("revoking a grant ends its access, its refreshes and its pending codes", () =>
    Effect.gen(function*() {
      const used = yield* onFirst(withTokens())
      const pending = yield* onFirst(authorized())
      yield* onFirst(revokeGrantsOf(used.member.member))
      yield* onFirst(revokeGrantsOf(pending.member.member))
      yield* assertEnded(used.tokens.access_token)
      const refreshes = yield* atOnce(2, refresh(used.clientId, used.tokens.refresh_token))
      const codes = yield* atOnce(2, redeem(pending.clientId, pending.request, pending.callback))
      assert.deepStrictEqual([...refreshes, ...codes].map(oauthError), Array(4).fill("invalid_grant"))
    }))

  it.effect.each(
    [
      { access: "read_only", scope: "read", code: "read_only", change: "read_write" },
      { access: "read_write", scope: "read write", code: "connection_not_found", change: "read_only" }
    ] as const
  )(
    "an agent with the access $access may only read once that is $change",
    ({ access, change, code, scope }) =>
      onFirst(Effect.gen(function*() {
        const { admin, call } = yield* TestServer
        const { clientId, member, tokens } = yield* withTokens({ access })
        assert.strictEqual(tokens.scope, scope)
        const write = call(tokens.access_token, { provider: "gsheets", tool: "sheets_create", input: { title: "New" } })
        const errorCode = Effect.map(write, ({ json }) => Object(json).error.code)
        assert.strictEqual(yield* errorCode, code)
        const [{ id } = assert.fail()] = yield* grantsOf(member.member)
        yield* admin.grants.change({ params: { id }, payload: { access: change } })
        yield* eventually(errorCode, (code) => code === "read_only")
        assert.strictEqual(tokensIn(yield* refresh(clientId, tokens.refresh_token)).scope, "read")
      }))
  )

  it.effect("a consent counts only in the browser and for the member that the page was shown to", () =>
    onFirst(Effect.gen(function*() {
      const member = yield* signedIn()
      const other = yield* signedIn()
      const clientId = yield* registered()
      const browser = browserOf(member)
      const started = yield* authorize(browser, authorizationRequest(clientId).parameters)
      const path = pathOf(started.headers.get("location"))
      const allow = { button: "allow", which: "all", member: member.member.id }
      for (const foreign of [browserOf(other), browserOf(member)]) {
        assert.strictEqual((yield* foreign.request("GET", path)).status, 400)
        assert.strictEqual((yield* submit(foreign, path, allow)).status, 400)
        const resumed = yield* foreign.request("GET", path.replace("consent", "authorize"))
        assert.strictEqual(resumed.status, 400)
      }
      // The other member signs in in the same browser while the page is open.
      const [name = ""] = other.cookie.split("=")
      browser.cookies.set(name, other.cookie)
      const answer = yield* submit(browser, path, allow)
      assert.strictEqual(answer.status, 400)
      assert.include(answer.text, "another member")
      assert.lengthOf(yield* grantsOf(other.member), 0)
      const forged = yield* browser.request("POST", path, {
        headers: { "sec-fetch-site": "cross-site", "content-type": "application/x-www-form-urlencoded" },
        rawBody: new URLSearchParams({ ...allow, member: other.member.id }).toString()
      })
      assert.strictEqual(forged.status, 403)
      assert.lengthOf(yield* grantsOf(other.member), 0)
    })))

  it.effect("a consent that is sent twice is one grant, and returning twice gives one code", () =>
    Effect.gen(function*() {
      const member = yield* onFirst(signedIn())
      const clientId = yield* onFirst(registered())
      const browser = browserOf(member)
      const started = yield* onFirst(authorize(browser, authorizationRequest(clientId).parameters))
      const path = pathOf(started.headers.get("location"))
      const allow = { button: "allow", which: "all", member: member.member.id }
      const answers = yield* atOnce(6, submit(browser, path, allow))
      assert.deepStrictEqual(answers.map(({ status }) => status), answers.map(() => 303))
      assert.lengthOf(yield* onFirst(grantsOf(member.member)), 1)
      const resumed = yield* atOnce(4, browser.request("GET", path.replace("consent", "authorize")))
      assert.lengthOf(resumed.filter(({ headers }) => headers.get("location")?.includes("code=")), 1)
    }))

  it.effect("revoking one token ends its own grant and no other one of the same agent", () =>
    onFirst(Effect.gen(function*() {
      const first = yield* withTokens()
      const request = authorizationRequest(first.clientId)
      const second = tokensIn(yield* redeem(first.clientId, request, yield* consent(yield* signedIn(), request)))
      const foreign = yield* form("/oauth/revoke", { client_id: yield* registered(), token: first.tokens.access_token })
      assert.strictEqual(foreign.status, 200)
      assert.strictEqual(yield* uses(first.tokens.access_token), 200)
      const revoked = yield* form("/oauth/revoke", { client_id: first.clientId, token: first.tokens.refresh_token })
      assert.strictEqual(revoked.status, 200)
      assert.strictEqual(yield* eventually(uses(first.tokens.access_token), (status) => status === 401), 401)
      assert.strictEqual(yield* uses(second.access_token), 200)
    })))

  it.effect("a forged Host reaches neither metadata nor redirects", () =>
    onFirst(Effect.gen(function*() {
      const { request } = yield* TestServer
      const host = "evil.example"
      const headers = { "x-forwarded-host": host, "x-forwarded-proto": "https", forwarded: `host=${host};proto=https` }
      for (const name of ["oauth-authorization-server", "oauth-protected-resource", "oauth-protected-resource/mcp"]) {
        const { json, text } = yield* request("GET", `/.well-known/${name}`, { headers })
        assert.notInclude(text, "evil")
        const { issuer, resource } = Object(json)
        assert.strictEqual(issuer ?? resource, name === "oauth-authorization-server" ? baseUrl : `${baseUrl}/mcp`)
      }
      const member = yield* signedIn()
      const clientId = yield* registered()
      const browser = browserOf(member)
      const { parameters } = authorizationRequest(clientId)
      const started = yield* browser.request("GET", `/oauth/authorize?${new URLSearchParams(parameters)}`, { headers })
      const path = started.headers.get("location") ?? ""
      assert.match(path, /^\/oauth\/consent\//)
      const answered = yield* submit(browser, path, { button: "allow", which: "all", member: member.member.id })
      const resumed = yield* browser.request("GET", answered.headers.get("location") ?? "", { headers })
      const callback = new URL(resumed.headers.get("location") ?? "")
      assert.strictEqual(`${callback.origin}${callback.pathname}`, redirectUri)
      assert.strictEqual(callback.searchParams.get("iss"), baseUrl)
    })))

  it.effect("a member has at most 20 open requests, and a new one does not end an earlier one", () =>
    Effect.gen(function*() {
      const member = yield* onFirst(signedIn())
      const { parameters } = authorizationRequest(yield* onFirst(registered()))
      const browser = browserOf(member)
      const first = pathOf((yield* onFirst(authorize(browser, parameters))).headers.get("location"))
      const answers = yield* atOnce(24, authorize(browserOf(member), parameters))
      assert.lengthOf(answers.filter(({ status }) => status === 303), 19)
      for (const refused of answers.filter(({ status }) => status !== 303)) {
        assert.strictEqual(refused.status, 429)
        assert.include(refused.text, "Too many requests for access are open")
        assert.strictEqual(refused.headers.get("retry-after"), "1800")
        assert.isNull(refused.headers.get("location"))
      }
      const other = yield* onFirst(authorize(browserOf(yield* onFirst(signedIn())), parameters))
      assert.strictEqual(other.status, 303)
      assert.strictEqual((yield* onFirst(browser.request("GET", first))).status, 200)
      yield* onFirst(submit(browser, first, { button: "cancel", member: String(member.member.id) }))
      assert.strictEqual((yield* onFirst(authorize(browserOf(member), parameters))).status, 303)
    }))

  it.effect("a flood of registrations ends its own, and neither those of others nor those in use", () =>
    onFirst(
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { clientId: used } = yield* withTokens()
        const clients = Context.get(yield* Layer.build(Layer.fresh(OAuthClients.layer)), OAuthClients)
        const registerAt = (client_id: string, address: string) =>
          clients.register({
            client_id,
            redirect_uris: [redirectUri],
            application_type: "native",
            grant_types: ["authorization_code"],
            response_types: ["code"],
            token_endpoint_auth_method: "none"
          }).pipe(Effect.provideService(CurrentAddress, address))
        yield* registerAt("agent_honest", "192.0.2.80")
        yield* registerAt("agent_0", "192.0.2.81")
        yield* sql`
          INSERT INTO oauth_clients (id, metadata, source, created_at, expires_at)
          SELECT 'agent_' || number, metadata, source, created_at, expires_at
          FROM oauth_clients, generate_series(1, 989) AS number WHERE id = 'agent_0'`
        yield* Effect.forEach(
          Array.from({ length: 20 }),
          (_, index) => registerAt(`agent_${990 + index}`, "192.0.2.81")
        )
        const isKept = (id: string) => Effect.map(clients.find(id), Option.isSome)
        const [row] = yield* sql<{ readonly unused: number }>`
          SELECT count(*)::int AS unused FROM oauth_clients WHERE expires_at <= created_at + interval '1 hour'`
        assert.strictEqual(row?.unused, 1000)
        assert.deepStrictEqual(
          yield* Effect.forEach([used, "agent_honest", "agent_0", "agent_1009"], isKept),
          [true, true, false, true]
        )
        yield* sql`DELETE FROM oauth_clients WHERE source = '192.0.2.81'`
      }).pipe(Effect.scoped)
    ))

  it.effect("an agent that requests too many documents does not block others", () =>
    onFirst(
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const services = yield* Layer.build(Layer.fresh(ClientDocuments.layer))
        const documents = Context.get(services, ClientDocuments)
        const urls = Array.from({ length: 32 }, (_, index) => `https://127.0.0.1/agent-${index}`)
        for (const url of urls) assert.isTrue(Option.isNone(yield* documents.fetch(url)))
        const failed = yield* sql`SELECT url FROM oauth_client_documents WHERE url = ANY(${
          textArray(urls)
        }) ORDER BY url`
        assert.sameMembers(failed.map(({ url }) => url), urls.slice(0, 30))
      }).pipe(Effect.scoped, Effect.provideService(CurrentAddress, "192.0.2.77"))
    ))

  it.effect("expired tokens, agents and documents are deleted", () =>
    onFirst(
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* withTokens()
        const rows = Effect.map(
          sql<{ readonly expired: number; readonly live: number }>`
          SELECT count(*) FILTER (WHERE expires_at < now())::int AS expired,
            count(*) FILTER (WHERE expires_at > now())::int AS live
          FROM (SELECT expires_at FROM oauth_tokens UNION ALL SELECT expires_at FROM oauth_clients
            UNION ALL SELECT expires_at FROM oauth_client_documents) AS kept`,
          ([row]) => row ?? assert.fail()
        )
        const before = yield* rows
        yield* sql`INSERT INTO oauth_tokens (kind, hash, payload, created_at, expires_at)
        SELECT 'Interaction', int4send(n), '{}', now(), now() - interval '1 minute' FROM generate_series(1, 1500) AS n`
        yield* sql`INSERT INTO oauth_clients (id, metadata, source, created_at, expires_at)
        VALUES ('agent_old', '{}', '', now(), now() - interval '1 minute')`
        yield* sql`INSERT INTO oauth_client_documents (hash, url, fresh_until, expires_at)
        VALUES ('old', 'https://agent.example/old', now(), now() - interval '1 minute')`
        // An instance deletes expired rows when it starts.
        yield* Layer.build(Layer.fresh(Layer.mergeAll(OAuthTokens.layer, OAuthClients.layer, ClientDocuments.layer)))
        const after = yield* eventually(rows, ({ expired }) => expired === 0)
        assert.deepStrictEqual(after, { expired: 0, live: before.live })
      }).pipe(Effect.scoped)
    ))
})
