import { Clock, Context, Effect, Layer, Predicate, type Redacted } from "effect"
import type { ProviderCallError } from "../Api/Errors.ts"
import { type Resource, resourceOf } from "../Domain/Access/Resource.ts"
import { toLatencyMillis } from "../Domain/Calls/Call.ts"
import type { StoredConnection } from "../Domain/Connection.ts"
import type { JsonText } from "../Domain/Json/JsonText.ts"
import { OAuth } from "../Providers/OAuth/OAuth.ts"
import type { Provider, ReadCall } from "../Providers/Provider.ts"
import type { Access } from "../Providers/ProviderClient.ts"
import { makeServiceClient } from "../Providers/Sending/SendSteps.ts"
import { AccessTokens } from "./AccessTokens.ts"
import { ConnectionHealth } from "./ConnectionHealth.ts"
import { type Credentials, credentialsIdOf } from "./Credentials.ts"
import { LastErrors } from "./LastErrors.ts"
import { SetupChecks } from "./SetupChecks.ts"
import { makeTrialAccess } from "./TrialAccess.ts"

/** Runs the provider's cheapest read, or refreshes the token if every read needs an id. */
export class ConnectionTests extends Context.Service<ConnectionTests, {
  /** Returns the latency in milliseconds. */
  readonly stored: (connection: StoredConnection, provider: Provider) => Effect.Effect<number, ProviderCallError>
  /** Returns new credentials as JSON text, if the test has refreshed the token. */
  readonly credentials: (trial: {
    readonly provider: Provider
    readonly credentials: Credentials
    readonly scopes: ReadonlyArray<string>
    readonly reading?: ReadCall
  }) => Effect.Effect<Redacted.Redacted | undefined, ProviderCallError>
}>()("openaccounts/Connections/ConnectionTests") {
  static readonly layerNoDeps = Layer.effect(
    ConnectionTests,
    Effect.gen(function*() {
      const accessTokens = yield* AccessTokens
      const health = yield* ConnectionHealth
      const lastErrors = yield* LastErrors
      const oauth = yield* OAuth
      const providerClient = yield* makeServiceClient
      const { named } = yield* SetupChecks

      const test = (
        provider: Provider,
        access: Access,
        freshToken: Effect.Effect<unknown, ProviderCallError>,
        reading: ReadCall | undefined = provider.cheapestRead &&
          { endpoint: provider.cheapestRead, input: provider.cheapestInput ?? {} }
      ): Effect.Effect<JsonText | undefined, ProviderCallError> =>
        reading === undefined
          ? Effect.as(freshToken, undefined)
          : providerClient.call({ provider, ...reading, access })

      return ConnectionTests.of({
        stored: Effect.fn("ConnectionTests.stored")(function*(connection, provider) {
          const access = accessTokens.access(connection, provider)
          const start = yield* Clock.currentTimeNanos
          const exit = yield* test(provider, access, Effect.flatMap(access.secret, access.renew)).pipe(
            Effect.mapError((error) => named(error, { provider, connection })),
            Effect.exit
          )
          const latency = (yield* Clock.currentTimeNanos) - start
          yield* lastErrors.record(connection, exit, yield* Clock.currentTimeMillis) ?? Effect.void
          const listed = listedBy(provider, yield* exit)
          if (listed !== undefined) yield* health.setListed(credentialsIdOf(connection), listed)
          return toLatencyMillis(latency)
        }),

        credentials: Effect.fn("ConnectionTests.credentials")(function*(trial) {
          const access = yield* makeTrialAccess(oauth, trial)
          const { credentials: { type: auth_type }, provider, reading } = trial
          yield* test(provider, access, access.freshToken, reading).pipe(
            Effect.mapError((error) => named(error, { provider, connection: { auth_type } }))
          )
          return yield* access.refreshed
        })
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([AccessTokens.layer, LastErrors.layer, SetupChecks.layer])
  )
}

/** What the whole account has, in the spelling of bounds. `undefined` if the response does not say it. */
export const listedBy = (
  { cheapestRead, id, resourceName }: Provider,
  body: JsonText | undefined
): ReadonlyArray<Resource> | undefined => {
  const resources = cheapestRead?.resources
  if (body === undefined || typeof resources !== "object" || !("lists" in resources)) return undefined
  if (Predicate.hasProperty(body.value, "nextPageToken")) return undefined
  const listed: Array<Resource> = []
  resources.lists(body.value, (text) => {
    const name = resourceName(text)
    if (name !== undefined) listed.push(resourceOf(id, name))
    return false
  })
  return listed
}
