import { Clock, DateTime, Duration, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import type { ServerResponse } from "node:http"
import { Audit } from "../../src/Audit/Audit.ts"
import { AccessTokens } from "../../src/Connections/AccessTokens.ts"
import { CachedConnections } from "../../src/Connections/CachedConnections.ts"
import { ConnectionRepo } from "../../src/Connections/ConnectionRepo.ts"
import { providerLayer } from "../../src/Core.ts"
import type { StoredConnection } from "../../src/Domain/Connection.ts"
import type { ConnectionId } from "../../src/Domain/Ids.ts"
import { sitesList } from "../../src/Providers/Gsc/Endpoints.ts"
import { gsc } from "../../src/Providers/Gsc/Provider.ts"
import { type Access, ProviderClient } from "../../src/Providers/ProviderClient.ts"
import { providers } from "../../src/Registrations.ts"
import { Invalidation } from "../../src/Sql/Notify/Invalidation.ts"
import { connect as storeConnection } from "../Sql/NewConnection.ts"
import { connectionStore } from "../Sql/OtherInstance.ts"
import { eventually } from "../support/Eventually.ts"
import { LoopbackUpstream, type Reply } from "../support/LoopbackUpstream.ts"
import { keyFile } from "../support/ServiceAccountFile.ts"
import { settings, TestDataDir } from "../support/TestServer.ts"

const NoAudit = Layer.succeed(Audit, {
  change: (change) => change,
  refusal: () => Effect.void,
  list: () => Effect.succeed({ items: [], cursor: null })
})

/** What connections in memory need, with their providers at a loopback upstream, on a day of the test's clock. */
export const surroundings = (audit: Layer.Layer<Audit>) =>
  providerLayer(providers).pipe(
    Layer.provideMerge(LoopbackUpstream.originsLayer.pipe(Layer.provideMerge(LoopbackUpstream.layer))),
    Layer.provideMerge([Invalidation.layerLocal, audit]),
    Layer.provide(Layer.effectDiscard(TestClock.setTime(Date.UTC(2026, 2, 10, 12)))),
    Layer.provideMerge(settings({ UPSTREAM_TIMEOUT: "10 minutes" })),
    Layer.provide(TestDataDir.layer)
  )

export const TokenFixture = AccessTokens.layerNoDeps.pipe(
  Layer.provideMerge(CachedConnections.layer),
  Layer.provideMerge([ConnectionRepo.layerMemory, ProviderClient.layer]),
  Layer.provideMerge(surroundings(NoAudit))
)

const text = (json: object) => Redacted.make(JSON.stringify(json))

export const connect = Effect.fnUntraced(function*(validFor: Duration.Input) {
  const expiresAt = (yield* Clock.currentTimeMillis) + Duration.toMillis(validFor)
  const expires_at = DateTime.formatIso(DateTime.makeUnsafe(expiresAt))
  return yield* storeConnection({
    credentials: text({ refresh_token: "1//first", access_token: "ya29.first", expires_at })
  })
})

export const connectServiceAccount = storeConnection({ authType: "service_account", credentials: text(keyFile) })

export const access = (connection: StoredConnection) =>
  Effect.map(AccessTokens, (accessTokens) => accessTokens.access(connection, gsc))

export const read = Effect.fnUntraced(function*(access: Access) {
  const client = yield* ProviderClient
  return yield* client.call({ provider: gsc, endpoint: sitesList, input: {}, access })
})

export const textOf = (secret: Redacted.Redacted): string => Redacted.value(secret)

export const stored = Effect.fnUntraced(function*(id: ConnectionId) {
  const connections = yield* connectionStore
  const { status } = Option.getOrThrow(yield* connections.find(id))
  const { credentials } = Option.getOrThrow(yield* connections.credentials(id))
  if (credentials.type !== "oauth") return { status }
  const { access_token, refresh_token } = credentials.oauth
  return {
    status,
    refresh_token: Redacted.value(refresh_token),
    access_token: access_token && Redacted.value(access_token)
  }
})

export const tokens = (access_token: string, more: object = {}): Reply => ({
  body: { access_token, expires_in: 3600, token_type: "Bearer", ...more }
})

type Answer = Reply | ((response: ServerResponse) => void)

export const play = Effect.fnUntraced(function*(
  token: (request: URLSearchParams, number: number) => Answer,
  api: (bearer: string) => Answer = () => ({ body: { siteEntry: [] } })
) {
  const upstream = yield* LoopbackUpstream
  const grants: Array<URLSearchParams> = []
  const bearers: Array<string> = []
  upstream.handle(({ body, headers, url }) => {
    if (url === "/googleToken") {
      const request = new URLSearchParams(body)
      return token(request, grants.push(request))
    }
    const bearer = `${headers.authorization}`.replace(/^Bearer /, "")
    bearers.push(bearer)
    return api(bearer)
  })
  return {
    grants,
    bearers,
    asked: (times: number) =>
      TestClock.withLive(eventually(Effect.sync(() => grants.length), (length) => length >= times))
  }
})

export const later = () => {
  const waiting: Array<ServerResponse> = []
  return {
    hold: (response: ServerResponse) => {
      waiting.push(response)
    },
    answer: ({ body, status = 200 }: Reply) => {
      for (const response of waiting) {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
      }
    }
  }
}

const turn = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

/** In steps of half a second. The event loop turns after each, so that requests continue. */
export const timePasses = (duration: Duration.Input) =>
  TestClock.adjust("500 millis").pipe(
    Effect.andThen(Effect.replicateEffect(turn, 20, { discard: true })),
    Effect.replicateEffect(Duration.toMillis(duration) / 500, { discard: true })
  )

export const asTimePasses = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkChild(effect)
  while (fiber.pollUnsafe() === undefined) yield* timePasses("500 millis")
  return yield* Fiber.join(fiber)
})
