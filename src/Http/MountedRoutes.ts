import { Context } from "effect"
import type { HttpRouter, HttpServerRequest } from "effect/http"
import type { ApiError } from "../Api/Errors.ts"

/** Routes of rooms above this one. A route handles every method of its path and refuses those it does not know. */
export class MountedRoutes extends Context.Service<
  MountedRoutes,
  ReadonlyArray<HttpRouter.Route<ApiError, HttpServerRequest.HttpServerRequest>>
>()("openaccounts/Http/MountedRoutes") {}
