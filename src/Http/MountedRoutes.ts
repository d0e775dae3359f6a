import { Context } from "effect"
import type { HttpRouter, HttpServerRequest } from "effect/http"
import type { ApiError } from "../Api/Errors.ts"

/** Routes of rooms that this one must not import. A route handles every method of its path. */
export class MountedRoutes extends Context.Service<
  MountedRoutes,
  ReadonlyArray<HttpRouter.Route<ApiError, HttpServerRequest.HttpServerRequest>>
>()("openaccounts/Http/MountedRoutes") {}
