import { Context, Effect, Option } from "effect"
import { FindMyWay, HttpServer } from "effect/http"
import { routerConfig } from "./AllowedMethods.ts"

/** The listener of `ADMIN_HOST` and `ADMIN_PORT`. None: the main listener serves everything. */
export class AdminListener extends Context.Service<AdminListener, {
  readonly server: Option.Option<HttpServer.HttpServer["Service"]>
}>()("openaccounts/Http/AdminListener") {}

/** Its address as a URL. */
export const adminListenerUrl = Effect.map(
  AdminListener,
  ({ server }) => Option.map(server, ({ address }) => HttpServer.formatAddress(address))
)

/** These paths and everything below them move to the admin listener. */
const movedPaths = ["/admin/v1", "/dashboard"] as const

/** What both listeners serve: the health check, and the API that the dashboard uses from its own origin. */
const sharedPaths = ["/healthz", "/auth", "/v1"] as const

/** Reads a URL as the router does, so that no spelling of a path is on one side for it and on the other here. */
const matcher = (paths: ReadonlyArray<`/${string}`>) => {
  const router = FindMyWay.make<true>(routerConfig)
  // It leads to the dashboard.
  router.on("GET", "/", true)
  for (const path of paths) {
    router.on("GET", path, true)
    router.on("GET", `${path}/*`, true)
  }
  return (url: string): boolean => router.find("GET", url) !== undefined
}

export const isMoved = matcher(movedPaths)

export const isOnAdminListener = matcher([...movedPaths, ...sharedPaths])
