import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Audit } from "../../../src/Audit/Audit.ts"
import { AccessTokens } from "../../../src/Connections/AccessTokens.ts"
import { ConnectionRepo } from "../../../src/Connections/ConnectionRepo.ts"
import { ConnectionTests } from "../../../src/Connections/ConnectionTests.ts"
import { LastErrors } from "../../../src/Connections/LastErrors.ts"
import { SetupChecks } from "../../../src/Connections/SetupChecks.ts"
import type { NewEvent } from "../../../src/Declared/Event.ts"
import type { NewConnection } from "../../../src/Domain/Connection.ts"
import type { ConnectionId } from "../../../src/Domain/Ids.ts"
import { HealthWatch } from "../../../src/Features/Health/HealthWatch.ts"
import { gsc } from "../../../src/Providers/Gsc/Provider.ts"
import type { Origins } from "../../../src/Providers/Origins.ts"
import { ProviderClient } from "../../../src/Providers/ProviderClient.ts"
import { SendSteps } from "../../../src/Providers/Sending/SendSteps.ts"
import type { Upstream } from "../../../src/Providers/Upstream.ts"
import { asTimePasses, surroundings } from "../../Connections/TokenFixture.ts"
import { connect as storeConnection } from "../../Sql/NewConnection.ts"
import { connectionStore } from "../../Sql/OtherInstance.ts"
import { LoopbackUpstream, type Reply } from "../../support/LoopbackUpstream.ts"
import { keyFile } from "../../support/ServiceAccountFile.ts"

const events: Array<NewEvent> = []

const RecordedAudit = Layer.succeed(Audit, {
  change: (change, describe) =>
    Effect.tap(change, (result) =>
      Effect.sync(() => {
        for (const { event } of describe(result)) if (event !== undefined) events.push(event)
      })),
  refusal: () => Effect.void,
  list: () => Effect.succeed({ items: [], cursor: null })
})

const worldOf = (client: Layer.Layer<ProviderClient, never, Origins | Upstream>) =>
  Layer.merge(HealthWatch.layerNoDeps, AccessTokens.layer).pipe(
    Layer.provideMerge(ConnectionTests.layerNoDeps),
    Layer.provideMerge([AccessTokens.layer, LastErrors.layer, SetupChecks.layer]),
    Layer.provideMerge([ConnectionRepo.layerMemory, Layer.succeed(SendSteps, []), client]),
    Layer.provideMerge(surroundings(RecordedAudit))
  )

const site = "https://acme.com/"
const [asked, granted] = [
  "https://www.googleapis.com/auth/webmasters",
  "https://www.googleapis.com/auth/webmasters.readonly"
]

const text = (json: object) => Redacted.make(JSON.stringify(json))

/** A revoked connection takes no part in the next story. */
const connect = (more: Partial<NewConnection> = {}) =>
  Effect.acquireRelease(
    storeConnection({ credentials: text({ refresh_token: "1//acme" }), ...more }),
    ({ id }) => Effect.flatMap(ConnectionRepo, (connections) => connections.revoke([id]))
  )

const answers = Effect.fnUntraced(
  function*({ api = sitesOf(site), token = tokenOf() }: { api?: Reply; token?: Reply } = {}) {
    const upstream = yield* LoopbackUpstream
    upstream.handle(({ url }) => url === "/googleToken" ? token : api)
    return upstream
  }
)

const tokenOf = (more: object = {}): Reply => ({ body: { access_token: "ya29.acme", expires_in: 3600, ...more } })
const refused: Reply = { status: 400, body: { error: "invalid_grant", error_description: "Token has been expired" } }
const sitesOf = (...names: ReadonlyArray<string>): Reply => ({
  body: { siteEntry: names.map((siteUrl) => ({ siteUrl, permissionLevel: "siteOwner" })) }
})

const shown = Effect.fnUntraced(function*(id: ConnectionId) {
  return Option.getOrThrow(yield* (yield* ConnectionRepo).find(id))
})

const healthOf = (id: ConnectionId) =>
  Effect.map(shown(id), ({ health: { reasons, state } }) => [state, ...reasons.map(({ code }) => code)])

/** The service does it every ten minutes. */
const watched = Effect.flatMap(HealthWatch, ({ tick }) => Effect.andThen(TestClock.adjust("10 minutes"), tick))

/** A day without a call, then the loop, which tries the connection. */
const probed = Effect.andThen(TestClock.adjust("1 day"), watched)

/** Whether a call would work. */
const call = Effect.fnUntraced(function*(id: ConnectionId) {
  const connections = yield* connectionStore
  yield* connections.touch(id)
  return yield* (yield* ConnectionTests).stored(yield* shown(id), gsc)
})

const told = (id: ConnectionId) =>
  events.flatMap(({ data, type }) =>
    "connection" in data && data.connection.id === id
      ? ["reason" in data && typeof data.reason === "object" ? `${type} ${data.reason.code}` : type]
      : []
  )

layer(worldOf(ProviderClient.layer))("The health of connections", (it) => {
  it.effect("a token of seven days is flagged on its first day, with its end", () =>
    Effect.gen(function*() {
      const start = yield* Clock.currentTimeMillis
      yield* answers({ token: tokenOf({ refresh_token_expires_in: 604_800 }) })
      const { id } = yield* connect()
      yield* call(id)
      assert.deepStrictEqual(yield* healthOf(id), ["at_risk", "testing_mode"])
      const [reason] = (yield* shown(id)).health.reasons
      assert.strictEqual(reason?.expected_at?.getTime(), start + 7 * 86_400_000)
      yield* watched
      assert.deepStrictEqual(told(id), ["connection.at_risk testing_mode"])
      yield* TestClock.adjust("7 days")
      yield* answers({ token: refused })
      assert.strictEqual((yield* Effect.flip(call(id)))._tag, "CredentialsExpired")
      assert.deepStrictEqual(yield* healthOf(id), ["broken", "testing_mode", "failing"])
    }))

  it.effect("the end that a sign-in tells of stays when later answers do not repeat it", () =>
    Effect.gen(function*() {
      const end = "2099-01-01T00:00:00.000Z"
      yield* answers()
      const { id } = yield* connect({ credentials: text({ refresh_token: "1//acme", refresh_expires_at: end }) })
      yield* call(id)
      assert.strictEqual((yield* shown(id)).health.reasons[0]?.expected_at?.toISOString(), end)
      yield* answers({ token: tokenOf({ refresh_token: "1//published" }) })
      yield* TestClock.adjust("2 hours")
      yield* call(id)
      assert.deepStrictEqual(yield* healthOf(id), ["ok"])
    }))

  it.effect("a sign-in that nothing used for five months is flagged, a month before Google ends it", () =>
    Effect.gen(function*() {
      yield* answers()
      const { created_at, id } = yield* connect()
      const later = new Date(created_at)
      later.setUTCMonth(created_at.getUTCMonth() + 5)
      yield* TestClock.adjust(later.getTime() - created_at.getTime())
      assert.deepStrictEqual(yield* healthOf(id), ["at_risk", "unused"])
      const [reason] = (yield* shown(id)).health.reasons
      const days = ((reason?.expected_at?.getTime() ?? 0) - (yield* Clock.currentTimeMillis)) / 86_400_000
      assert.isTrue(days >= 28 && days <= 31, `${days} days`)
      yield* watched
      assert.deepStrictEqual(yield* healthOf(id), ["ok"])
    }))

  it.effect("tries that fail do not count as use", () =>
    Effect.gen(function*() {
      yield* answers({ token: { status: 400, body: { error: "invalid_client" } } })
      const { id } = yield* connect()
      for (let week = 0; week < 23; week++) {
        yield* TestClock.adjust("7 days")
        yield* watched
      }
      assert.deepStrictEqual(yield* healthOf(id), ["broken", "unused", "failing"])
      assert.deepStrictEqual(told(id), ["connection.at_risk failing", "connection.at_risk unused"])
    }))

  it.effect("partial consent is flagged immediately, and only what was asked for counts", () =>
    Effect.gen(function*() {
      yield* answers()
      const { health, id } = yield* connect({ scopes: [granted], askedScopes: [granted, asked] })
      assert.strictEqual(health.state, "at_risk")
      assert.include(health.reasons[0]?.message ?? "", asked)
      yield* watched
      assert.deepStrictEqual(told(id), ["connection.at_risk scopes_missing"])
      yield* (yield* ConnectionRepo).reconnect(id, {
        authType: "oauth",
        credentials: text({ refresh_token: "1//all" }),
        scopes: [granted, asked, "openid", "https://www.googleapis.com/auth/userinfo.email"],
        askedScopes: [granted, asked, "email"]
      })
      yield* watched
      assert.deepStrictEqual(yield* healthOf(id), ["ok"])
      assert.deepStrictEqual(told(id), ["connection.at_risk scopes_missing", "connection.recovered"])
    }))

  it.effect("a bound site that the account no longer lists is lost, and found again", () =>
    Effect.gen(function*() {
      yield* answers()
      const { id } = yield* connect({ resources: [`gsc:${site}`, "gsc:sc-domain:acme.com"] })
      yield* answers({ api: sitesOf(site, "sc-domain:acme.com") })
      yield* probed
      assert.deepStrictEqual(yield* healthOf(id), ["ok"])
      yield* answers({ api: sitesOf("HTTPS://ACME.com") })
      yield* probed
      assert.deepStrictEqual(yield* healthOf(id), ["at_risk", "resource_lost"])
      assert.include((yield* shown(id)).health.reasons[0]?.message ?? "", "sc-domain:acme.com")
      yield* (yield* ConnectionRepo).change(id, { resources: [`gsc:${site}`] })
      yield* watched
      assert.deepStrictEqual(told(id), ["connection.at_risk resource_lost", "connection.recovered"])
    }))

  it.effect("a derived connection shares the try of its parent, and loses its own resources alone", () =>
    Effect.gen(function*() {
      const { requests } = yield* answers()
      const connections = yield* connectionStore
      const { id } = yield* connect()
      const derive = (name: string) =>
        Effect.map(
          connections.derive({ parentId: id, clientId: null, label: name, resources: [`gsc:${name}`] }),
          Option.getOrThrow
        )
      const one = yield* derive(site)
      const other = yield* derive("https://other.example/")
      yield* probed
      assert.lengthOf(requests.filter(({ url }) => url.startsWith("/gsc/")), 1)
      assert.deepStrictEqual(yield* healthOf(id), ["ok"])
      assert.deepStrictEqual(yield* healthOf(one.id), ["ok"])
      assert.deepStrictEqual(yield* healthOf(other.id), ["at_risk", "resource_lost"])
    }))

  const apiKey = { provider: "sitesearch", authType: "api_key", credentials: text({ api_key: "old" }) } as const
  const robot = { authType: "service_account", credentials: text(keyFile), scopes: [granted] } as const

  it.effect.each<readonly [string, Partial<NewConnection>, { readonly api?: Reply; readonly token?: Reply }, string]>([
    ["a rotated API key", apiKey, {
      api: { status: 400, body: { ErrorCode: 3, Message: "ERROR!!! InvalidApiKey" } }
    }, "active, connection.at_risk failing"],
    ["a deleted service account", robot, {
      token: { status: 400, body: { error: "invalid_grant", error_description: "account not found" } }
    }, "active, connection.at_risk failing"],
    ["access that the person withdrew", {}, { token: refused }, "expired, connection.expired"],
    ["a fresh token that the provider refuses", {}, {
      api: { status: 401, body: { error: { code: 401, message: "Invalid Credentials" } } }
    }, "expired, connection.expired"]
  ])(
    "%s is found broken by the next try, and told of once",
    ([, connection, replies, expected]) =>
      Effect.gen(function*() {
        const { id } = yield* connect(connection)
        yield* answers(replies)
        yield* probed
        assert.deepStrictEqual(yield* healthOf(id), ["broken", "failing"])
        assert.strictEqual([(yield* shown(id)).status, ...told(id)].join(", "), expected)
      })
  )

  it.effect("a provider that cannot be reached puts a connection at risk until it answers", () =>
    Effect.gen(function*() {
      const { id } = yield* connect()
      const upstream = yield* answers()
      upstream.handle(({ url }) => url === "/googleToken" ? tokenOf() : (response) => response.destroy())
      yield* TestClock.adjust("1 day")
      yield* asTimePasses((yield* HealthWatch).tick)
      assert.deepStrictEqual(yield* healthOf(id), ["at_risk", "failing"])
      yield* answers()
      yield* probed
      assert.deepStrictEqual(yield* healthOf(id), ["ok"])
      assert.deepStrictEqual(told(id), ["connection.at_risk failing", "connection.recovered"])
    }))
})
