import { Context, Effect, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import {
  CallerRequired,
  CurrentPrincipal,
  CurrentSession,
  ManagerOrKeyRequired,
  ManagerRequired,
  MetricsTokenRequired,
  SameOriginOnly,
  SessionRequired
} from "../Api/Authentication.ts"
import { Forbidden, Unauthenticated } from "../Api/Errors.ts"
import { RouteNotFound } from "../Api/Errors/RequestErrors.ts"
import { Area, IsTest, Right } from "../Api/Right.ts"
import { Audit } from "../Audit/Audit.ts"
import { Auth } from "../Auth/Auth.ts"
import type { BearerToken, Credential } from "../Auth/Credential.ts"
import { Capacity } from "../Capacity/Capacity.ts"
import { makeManagementRates, type ManagementRequest } from "../Capacity/ManagementRates.ts"
import { RateLimit } from "../Capacity/RateLimit.ts"
import type { KeyPrincipal, SessionPrincipal } from "../Domain/Access/Principal.ts"
import { type Actor, CurrentActor, keyActor, memberActor, tokenActor } from "../Domain/Request/Actor.ts"
import { CurrentScope, type ManagementScope, unlimitedScope } from "../Domain/Request/ManagementScope.ts"
import { AdminToken } from "../Management/AdminToken.ts"
import { metricsToken } from "../Observability/Metrics.ts"
import { matcher } from "../Secrets/SharedSecret.ts"
import { withinShare } from "./Server/AnswerShare.ts"
import { withErrorResponse } from "./Server/ErrorResponses.ts"
import { sessionCookie } from "./SessionCookie.ts"

/** `HttpApi` tries the next scheme of a route after a failure, but not after a response. */
const asResponse = <E>(error: E) => withErrorResponse(Effect.fail(error))

export const CallerRequiredLayer = Layer.effect(
  CallerRequired,
  Effect.gen(function*() {
    const auth = yield* Auth
    const rateLimit = yield* RateLimit
    const capacity = yield* Capacity
    const { credentialOf } = yield* sessionCookie

    const authenticate = Effect.gen(function*() {
      const principal = yield* auth.authenticate(credentialOf(yield* HttpServerRequest.HttpServerRequest))
      yield* rateLimit.take(principal)
      return principal
    })
    const scheme: CallerRequired["Service"]["apiKey"] = (handler, { endpoint }) =>
      Effect.matchEffect(authenticate, {
        onFailure: asResponse,
        onSuccess: (principal) =>
          withinShare(
            capacity,
            principal.memberId,
            endpoint,
            Effect.provideService(handler, CurrentPrincipal, principal)
          )
      })
    return { apiKey: scheme, session: scheme }
  })
)

const authenticateSession = Effect.fnUntraced(
  function* authenticateSession(auth: Auth["Service"], credential: Credential | undefined) {
    const principal = credential?.type === "cookie" ? yield* auth.authenticate(credential) : undefined
    if (principal?.via !== "session") return yield* new Unauthenticated({ message: "There is no session. Sign in." })
    return principal
  }
)

export const SessionRequiredLayer = Layer.effect(
  SessionRequired,
  Effect.gen(function*() {
    const auth = yield* Auth
    const capacity = yield* Capacity
    const { credentialOf } = yield* sessionCookie
    return {
      session: (handler, { endpoint }) =>
        Effect.gen(function*() {
          const credential = credentialOf(yield* HttpServerRequest.HttpServerRequest)
          const session = yield* authenticateSession(auth, credential)
          const own = handler.pipe(
            Effect.provideService(CurrentSession, session),
            Effect.provideService(CurrentActor, memberActor(session.memberId))
          )
          return yield* withinShare(capacity, session.memberId, endpoint, own)
        })
    }
  })
)

export const SameOriginOnlyLayer = Layer.effect(
  SameOriginOnly,
  Effect.map(sessionCookie, ({ isForeign }) => (handler) =>
    Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (request.method !== "GET" && request.method !== "HEAD" && isForeign(request)) {
        return yield* new Forbidden({ message: "Another site cannot sign its visitors in." })
      }
      return yield* handler
    }))
)

interface Manager {
  readonly actor: Actor
  readonly scope: ManagementScope
}

const operator: Manager = { actor: tokenActor, scope: unlimitedScope }

const ofSession = ({ clientIds, memberId, role }: SessionPrincipal): Manager => ({
  actor: memberActor(memberId),
  scope: role === "admin" ? unlimitedScope : { memberId, clientIds }
})

const ofKey = (key: KeyPrincipal): Manager => ({
  actor: keyActor(key.memberId, key.keyId),
  scope: {
    memberId: key.manageAs === "admin" ? null : key.memberId,
    clientIds: key.clientIds,
    holder: { id: key.keyId, resources: key.resources }
  }
})

const kindOf = ({ annotations, method }: HttpApiEndpoint.Top): ManagementRequest => {
  if (method === "GET") return "read"
  return Context.get(annotations, IsTest) ? "test" : "change"
}

/** Why the key may not use the endpoint. */
const missingRight = (
  { clientIds, manage, manageAs }: KeyPrincipal,
  { annotations }: HttpApiEndpoint.Top
): string | undefined => {
  const area = Context.get(annotations, Area)
  if (area === null || !manage.includes(area)) return `The key may not do this: \`manage\` lacks "${area}".`
  if (area === "webhooks" && clientIds !== null) return "Only keys of members without limits manage webhooks."
  return manageAs === "member" && Context.get(annotations, Right) === "admin"
    ? "Only an admin, or a key to which an admin gave its rights, may do this."
    : undefined
}

const managers = Effect.gen(function*() {
  const auth = yield* Auth
  const capacity = yield* Capacity
  const audit = yield* Audit
  const takeRate = yield* makeManagementRates
  const { matches, token } = yield* AdminToken
  const { credentialOf } = yield* sessionCookie

  const refuse = (
    message = "The admin token is missing or wrong, and there is no session."
  ): Effect.Effect<never, RouteNotFound | Unauthenticated> =>
    Option.isNone(token)
      ? Effect.fail(
        new RouteNotFound({
          message: "The management API takes sessions and keys with rights alone, because ADMIN_TOKEN is not set."
        })
      )
      : Effect.fail(new Unauthenticated({ message }))

  const refuseToken = Effect.fnUntraced(function* refuseToken(actor: Actor, message?: string) {
    const refusal = audit.refusal({ action: "admin_token.refused", subject: null })
    if (Option.isSome(token)) yield* Effect.provideService(refusal, CurrentActor, actor)
    return yield* refuse(message)
  })

  const authenticateToken = Effect.fnUntraced(
    function* authenticateToken(credential: BearerToken, endpoint: HttpApiEndpoint.Top) {
      if (matches(credential.token)) return operator
      const takesKeys = Context.get(endpoint.annotations, Area) !== null
      const found = takesKeys ? yield* Effect.option(auth.authenticate(credential)) : Option.none()
      if (Option.isNone(found) || found.value.via !== "key") return yield* refuseToken(tokenActor)
      const key = found.value
      yield* takeRate(key, kindOf(endpoint))
      const missing = missingRight(key, endpoint)
      return missing === undefined ? ofKey(key) : yield* refuseToken(ofKey(key).actor, missing)
    }
  )

  const authenticate = Effect.fnUntraced(function* authenticate(endpoint: HttpApiEndpoint.Top) {
    const credential = credentialOf(yield* HttpServerRequest.HttpServerRequest)
    if (credential === undefined) return yield* refuse()
    if (credential.type === "bearer") return yield* authenticateToken(credential, endpoint)
    const session = yield* Effect.catchTag(
      authenticateSession(auth, credential),
      "Unauthenticated",
      ({ message }) => refuse(message)
    )
    yield* takeRate(session, kindOf(endpoint))
    if (session.role === "member" && Context.get(endpoint.annotations, Right) === "admin") {
      return yield* new Forbidden({ message: "Only an admin may do this." })
    }
    return ofSession(session)
  })

  const scheme: ManagerRequired["Service"]["adminToken"] = (handler, { endpoint }) =>
    Effect.matchEffect(authenticate(endpoint), {
      onFailure: asResponse,
      onSuccess: ({ actor, scope }) => {
        const own = handler.pipe(Effect.provideService(CurrentActor, actor), Effect.provideService(CurrentScope, scope))
        return withinShare(capacity, actor.member_id ?? actor.type, endpoint, own)
      }
    })
  return scheme
})

/** Both middlewares share one scheme, so that they count the requests of a member together. */
export const ManagersLayer = Layer.effectContext(
  Effect.map(managers, (scheme) =>
    Context.make(ManagerRequired, { adminToken: scheme, session: scheme }).pipe(
      Context.add(ManagerOrKeyRequired, { adminToken: scheme, apiKey: scheme, session: scheme })
    ))
)

export const MetricsTokenRequiredLayer = Layer.effect(
  MetricsTokenRequired,
  Effect.map(Effect.all([metricsToken, Capacity]), ([token, capacity]) => {
    const matches = Option.map(token, matcher)
    return {
      metricsToken: (handler, { credential, endpoint }) => {
        if (Option.isNone(matches)) return Effect.fail(new RouteNotFound())
        return matches.value(credential)
          ? withinShare(capacity, "metrics", endpoint, handler)
          : Effect.fail(new Unauthenticated({ message: "The metrics token is wrong." }))
      }
    }
  })
)
