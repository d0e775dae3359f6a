import { Context } from "effect"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import type { Principal } from "../Domain/Principal.ts"
import { RateLimited, RouteNotFound, Unauthenticated } from "./Errors.ts"

export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()(
  "openaccounts/Api/CurrentPrincipal"
) {}

/** Every request under `/v1` carries `Authorization: Bearer <API key>`. */
export class ApiKeyRequired extends HttpApiMiddleware.Service<ApiKeyRequired, {
  provides: CurrentPrincipal
}>()("openaccounts/Api/ApiKeyRequired", {
  security: {
    apiKey: HttpApiSecurity.bearer.pipe(
      HttpApiSecurity.annotate(OpenApi.Description, "An API key, `oa_…`."),
      HttpApiSecurity.annotate(OpenApi.Format, "oa_<38 characters>")
    )
  },
  error: [Unauthenticated.schema, RateLimited.schema]
}) {}

/** `GET /metrics` carries `Authorization: Bearer <METRICS_TOKEN>`; without such a setting there is no such path. */
export class MetricsTokenRequired extends HttpApiMiddleware.Service<MetricsTokenRequired>()(
  "openaccounts/Api/MetricsTokenRequired",
  {
    security: {
      metricsToken: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotate(OpenApi.Description, "The token of whoever collects metrics, `METRICS_TOKEN`.")
      )
    },
    error: [Unauthenticated.schema, RouteNotFound.schema]
  }
) {}

/** Every request under `/admin/v1` carries `Authorization: Bearer <ADMIN_TOKEN>`; without such a setting there is none. */
export class AdminTokenRequired extends HttpApiMiddleware.Service<AdminTokenRequired>()(
  "openaccounts/Api/AdminTokenRequired",
  {
    security: {
      adminToken: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotate(OpenApi.Description, "The operator's token, `ADMIN_TOKEN`.")
      )
    },
    error: [Unauthenticated.schema, RouteNotFound.schema]
  }
) {}
