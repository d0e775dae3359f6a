import { Cause, Effect, Exit, Layer, Option } from "effect"
import { InternalError } from "../../Api/Errors.ts"
import { type ProviderError } from "../../Api/Errors/ProviderErrors.ts"
import type { AuthType } from "../../Domain/Connection.ts"
import { meteredLayer } from "../../Observability/Metered.ts"
import type { IdentityProvider } from "../IdentityProvider.ts"
import { OAuth } from "../OAuth/OAuth.ts"
import { ProviderClient } from "../ProviderClient.ts"

const MeteredProviderClient = meteredLayer(ProviderClient, (client, meter) => {
  const duration = meter.histogram({
    name: "openaccounts_upstream_duration_seconds",
    help: "Seconds of requests to providers, with retries and without the wait for credentials."
  })
  return {
    call: (request) =>
      Effect.clockWith((clock) => {
        const { access, provider } = request
        let start: bigint | undefined
        const secret = Effect.map(access.secret, (secret) => {
          start = clock.currentTimeNanosUnsafe()
          return secret
        })
        return Effect.onExitPrimitive(client.call({ ...request, access: { ...access, secret } }), () => {
          if (start === undefined) return
          duration({ provider: provider.id }, Number(clock.currentTimeNanosUnsafe() - start) / 1e9)
        })
      })
  }
})

const MeteredOAuth = meteredLayer(OAuth, (oauth, meter) => {
  const refreshes = meter.counter({
    name: "openaccounts_token_refreshes_total",
    help: "Access tokens requested, by identity provider, kind of credentials and outcome."
  })
  const counted = <A>(identity: IdentityProvider, auth_type: AuthType, ask: Effect.Effect<A, ProviderError>) =>
    Effect.onExit(ask, (exit) => Effect.sync(() => refreshes({ identity: identity.id, auth_type, ...outcomeOf(exit) })))
  return {
    ...oauth,
    refresh: (identity, token) => counted(identity, "oauth", oauth.refresh(identity, token)),
    assertServiceAccount: (identity, key, scopes) =>
      counted(identity, "service_account", oauth.assertServiceAccount(identity, key, scopes))
  }
})

const outcomeOf = (exit: Exit.Exit<unknown, ProviderError>) =>
  Exit.isSuccess(exit) ? { outcome: "ok" } : {
    outcome: "error",
    error_code: Option.match(Cause.findErrorOption(exit.cause), {
      onNone: () => InternalError.code,
      onSome: ({ code }) => code
    })
  }

export const MeteredProviders = Layer.merge(MeteredProviderClient, MeteredOAuth)
