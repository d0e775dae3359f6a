import { Context, Effect } from "effect"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import type { Principal, SessionPrincipal } from "../Domain/Access/Principal.ts"
import { Forbidden, RateLimited, Unauthenticated } from "./Errors.ts"
import { RouteNotFound } from "./Errors/RequestErrors.ts"

export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()(
  "openaccounts/Api/Authentication/CurrentPrincipal"
) {}

export const asCaller = <A, E, R>(run: (principal: Principal) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(CurrentPrincipal, run)

export class CurrentSession extends Context.Service<CurrentSession, SessionPrincipal>()(
  "openaccounts/Api/Authentication/CurrentSession"
) {}

const session = HttpApiSecurity.apiKey({ in: "cookie", key: "openaccounts_session" }).pipe(
  HttpApiSecurity.annotate(
    OpenApi.Description,
    "The session of a signed-in member, for the service's own pages. With https the name is " +
      "`__Host-openaccounts_session`. A request that is not GET or HEAD must have `Sec-Fetch-Site: same-origin`, or, " +
      "without that header, the service's own `Origin`."
  )
)

const apiKey = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotate(OpenApi.Description, "An API key, `oa_…`, or the access token of an agent, `oat_…`."),
  HttpApiSecurity.annotate(OpenApi.Format, "oa_<38 characters> or oat_<38 characters>")
)

const adminToken = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotate(OpenApi.Description, "The operator's token, `ADMIN_TOKEN`.")
)

/** An API key or a session. A session is read-only unless the request has `X-OA-Access: read_write`. */
export class CallerRequired extends HttpApiMiddleware.Service<CallerRequired, {
  provides: CurrentPrincipal
}>()("openaccounts/Api/Authentication/CallerRequired", {
  security: { apiKey, session },
  error: [Unauthenticated.schema, Forbidden.schema, RateLimited.schema]
}) {}

export class SessionRequired extends HttpApiMiddleware.Service<SessionRequired, {
  provides: CurrentSession
}>()("openaccounts/Api/Authentication/SessionRequired", {
  security: { session },
  error: [Unauthenticated.schema, Forbidden.schema, RateLimited.schema]
}) {}

export class SameOriginOnly
  extends HttpApiMiddleware.Service<SameOriginOnly>()("openaccounts/Api/Authentication/SameOriginOnly", {
    error: Forbidden.schema
  })
{}

export class MetricsTokenRequired extends HttpApiMiddleware.Service<MetricsTokenRequired>()(
  "openaccounts/Api/Authentication/MetricsTokenRequired",
  {
    security: {
      metricsToken: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotate(OpenApi.Description, "The token of the metrics collector, `METRICS_TOKEN`.")
      )
    },
    error: [Unauthenticated.schema, RouteNotFound.schema, RateLimited.schema]
  }
) {}

const managerErrors = [Unauthenticated.schema, Forbidden.schema, RateLimited.schema, RouteNotFound.schema] as const

/**
 * The admin token, or a session of a member with the endpoint's `Right`. Without a configured admin token, the paths
 * exist only for requests with a session.
 */
export class ManagerRequired extends HttpApiMiddleware.Service<ManagerRequired>()(
  "openaccounts/Api/Authentication/ManagerRequired",
  { security: { adminToken, session }, error: managerErrors }
) {}

/** As `ManagerRequired`, or an API key whose `manage` has the endpoint's `Area`. */
export class ManagerOrKeyRequired extends HttpApiMiddleware.Service<ManagerOrKeyRequired>()(
  "openaccounts/Api/Authentication/ManagerOrKeyRequired",
  { security: { adminToken, apiKey, session }, error: managerErrors }
) {}
