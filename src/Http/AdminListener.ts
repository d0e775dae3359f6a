import { Context, Effect, Option } from "effect"
import { FindMyWay, HttpServer } from "effect/http"
import { routerConfig } from "./AllowedMethods.ts"

/** None where neither `ADMIN_HOST` nor `ADMIN_PORT` is set: the main listener serves everything. */
export class AdminListener extends Context.Service<AdminListener, {
  readonly server: Option.Option<HttpServer.HttpServer["Service"]>
}>()("openaccounts/Http/AdminListener") {}

export const adminListenerUrl = Effect.map(
  AdminListener,
  ({ server }) => Option.map(server, ({ address }) => HttpServer.formatAddress(address))
)

const movedPaths = ["/admin/v1", "/dashboard"] as const

/** The last three are for members, whose sessions belong to the dashboard's address. */
const sharedPaths = ["/healthz", "/auth", "/v1", "/oauth/authorize", "/oauth/consent", "/connect/logo"] as const

/** Reads a URL as the router does, so that both agree about every spelling of a path. */
const matcher = (paths: ReadonlyArray<`/${string}`>) => {
  const router = FindMyWay.make<true>(routerConfig)
  router.on("GET", "/", true)
  for (const path of paths) {
    router.on("GET", path, true)
    router.on("GET", `${path}/*`, true)
  }
  return (url: string): boolean => router.find("GET", url) !== undefined
}

export const isMoved = matcher(movedPaths)

export const isOnAdminListener = matcher([...movedPaths, ...sharedPaths])
