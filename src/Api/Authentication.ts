import { Context } from "effect"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import type { Principal } from "../Domain/Principal.ts"
import { RateLimited, RouteNotFound, Unauthenticated } from "./Errors.ts"

export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()(
  "openaccounts/Api/Authentication/CurrentPrincipal"
) {}

export class ApiKeyRequired extends HttpApiMiddleware.Service<ApiKeyRequired, {
  provides: CurrentPrincipal
}>()("openaccounts/Api/Authentication/ApiKeyRequired", {
  security: {
    apiKey: HttpApiSecurity.bearer.pipe(
      HttpApiSecurity.annotate(OpenApi.Description, "An API key, `oa_…`."),
      HttpApiSecurity.annotate(OpenApi.Format, "oa_<38 characters>")
    )
  },
  error: [Unauthenticated.schema, RateLimited.schema]
}) {}

/** Without `METRICS_TOKEN`, the path does not exist. */
export class MetricsTokenRequired extends HttpApiMiddleware.Service<MetricsTokenRequired>()(
  "openaccounts/Api/Authentication/MetricsTokenRequired",
  {
    security: {
      metricsToken: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotate(OpenApi.Description, "The token of the metrics collector, `METRICS_TOKEN`.")
      )
    },
    error: [Unauthenticated.schema, RouteNotFound.schema]
  }
) {}

/** Without an admin token, the paths do not exist. */
export class AdminTokenRequired extends HttpApiMiddleware.Service<AdminTokenRequired>()(
  "openaccounts/Api/Authentication/AdminTokenRequired",
  {
    security: {
      adminToken: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotate(OpenApi.Description, "The operator's token, `ADMIN_TOKEN`.")
      )
    },
    error: [Unauthenticated.schema, RouteNotFound.schema]
  }
) {}
