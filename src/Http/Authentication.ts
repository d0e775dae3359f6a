import { Effect, Layer, Option, Redacted } from "effect"
import { AdminTokenRequired, ApiKeyRequired, CurrentPrincipal, MetricsTokenRequired } from "../Api/Authentication.ts"
import { RouteNotFound, Unauthenticated } from "../Api/Errors.ts"
import { Auth } from "../Auth/Auth.ts"
import { RateLimit } from "../Auth/RateLimit.ts"
import { matcher } from "../Auth/SharedSecret.ts"
import { CurrentActor, tokenActor } from "../Domain/Actor.ts"
import { rateSubjectOf } from "../Domain/Principal.ts"
import { AdminToken } from "../Management/AdminToken.ts"
import { Audit } from "../Members/Audit.ts"
import { metricsToken } from "../Observability/Metrics.ts"

/** The token of an `Authorization: Bearer …` header (RFC 6750); the scheme is not case-sensitive. */
export const bearerToken = (authorization = ""): Redacted.Redacted | undefined => {
  const [, token] = /^bearer +(\S+) *$/i.exec(authorization) ?? []
  return token === undefined ? undefined : Redacted.make(token)
}

export const ApiKeyRequiredLayer = Layer.effect(
  ApiKeyRequired,
  Effect.gen(function*() {
    const auth = yield* Auth
    const rateLimit = yield* RateLimit
    return {
      apiKey: (handler, { credential }) =>
        Effect.gen(function*() {
          const principal = yield* auth.authenticate(credential)
          yield* rateLimit.take(rateSubjectOf(principal))
          return yield* Effect.provideService(handler, CurrentPrincipal, principal)
        })
    }
  })
)

export const AdminTokenRequiredLayer = Layer.effect(
  AdminTokenRequired,
  Effect.gen(function*() {
    const { matches, token } = yield* AdminToken
    const audit = yield* Audit
    return {
      adminToken: (handler, { credential }) =>
        Effect.gen(function*() {
          if (Option.isNone(token)) return yield* new RouteNotFound({ message: "The management API is off." })
          if (matches(credential)) return yield* handler
          if (Redacted.value(credential) !== "") {
            yield* audit.refusal({ action: "admin_token.refused", subject: null })
          }
          return yield* new Unauthenticated({ message: "The admin token is wrong." })
        }).pipe(Effect.provideService(CurrentActor, tokenActor))
    }
  })
)

export const MetricsTokenRequiredLayer = Layer.effect(
  MetricsTokenRequired,
  Effect.map(metricsToken, (token) => {
    const matches = Option.map(token, matcher)
    return {
      metricsToken: (handler, { credential }) => {
        if (Option.isNone(matches)) return Effect.fail(new RouteNotFound())
        return matches.value(credential)
          ? handler
          : Effect.fail(new Unauthenticated({ message: "The metrics token is wrong." }))
      }
    }
  })
)
