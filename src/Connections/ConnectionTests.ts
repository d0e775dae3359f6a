import { Clock, Context, Effect, Layer, type Redacted } from "effect"
import type { ProviderCallError } from "../Api/Errors.ts"
import { toLatencyMillis } from "../Domain/Calls/Call.ts"
import type { StoredConnection } from "../Domain/Connection.ts"
import { OAuth } from "../Providers/OAuth/OAuth.ts"
import type { Provider, ReadCall } from "../Providers/Provider.ts"
import { type Access, ProviderClient } from "../Providers/ProviderClient.ts"
import { AccessTokens } from "./AccessTokens.ts"
import type { Credentials } from "./Credentials.ts"
import { LastErrors } from "./LastErrors.ts"
import { makeTrialAccess } from "./TrialAccess.ts"

/** Runs the provider's cheapest read, or refreshes the token if every read needs an id. */
export class ConnectionTests extends Context.Service<ConnectionTests, {
  readonly stored: (connection: StoredConnection, provider: Provider) => Effect.Effect<number, ProviderCallError>
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
      const lastErrors = yield* LastErrors
      const oauth = yield* OAuth
      const providerClient = yield* ProviderClient

      const test = (
        provider: Provider,
        access: Access,
        freshToken: Effect.Effect<unknown, ProviderCallError>,
        reading: ReadCall | undefined = provider.cheapestRead && { endpoint: provider.cheapestRead, input: {} }
      ): Effect.Effect<unknown, ProviderCallError> =>
        reading === undefined ? freshToken : providerClient.call({ provider, ...reading, access })

      return ConnectionTests.of({
        stored: Effect.fn("ConnectionTests.stored")(function*(connection, provider) {
          const access = accessTokens.access(connection, provider)
          const start = yield* Clock.currentTimeNanos
          const exit = yield* Effect.exit(test(provider, access, Effect.flatMap(access.secret, access.renew)))
          const latency = (yield* Clock.currentTimeNanos) - start
          yield* lastErrors.record(connection, exit, yield* Clock.currentTimeMillis) ?? Effect.void
          yield* exit
          return toLatencyMillis(latency)
        }),

        credentials: Effect.fn("ConnectionTests.credentials")(function*(trial) {
          const access = yield* makeTrialAccess(oauth, trial)
          yield* test(trial.provider, access, access.freshToken, trial.reading)
          return yield* access.refreshed
        })
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([AccessTokens.layer, LastErrors.layer]))
}
