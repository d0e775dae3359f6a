import { Context, Effect, Option } from "effect"
import { FindMyWay, HttpServer } from "effect/http"
import { routerConfig } from "./AllowedMethods.ts"

export class AdminListener extends Context.Service<AdminListener, {
  readonly server: Option.Option<HttpServer.HttpServer["Service"]>
}>()("openaccounts/Http/Server/AdminListener") {}

export const adminListenerUrl = Effect.map(
  AdminListener,
  ({ server }) => Option.map(server, ({ address }) => HttpServer.formatAddress(address))
)

const movedPaths = ["/admin/v1", "/dashboard"] as const

/** The OAuth pages need the cookie of a session, which belongs to the dashboard's address. They show the logo. */
const sharedPaths = ["/healthz", "/auth", "/v1", "/oauth/authorize", "/oauth/consent", "/connect/logo"] as const

/** Matches as the router does, so that both agree on every spelling of a path. */
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
