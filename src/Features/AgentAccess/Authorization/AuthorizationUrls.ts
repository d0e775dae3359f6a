import { Effect, Option } from "effect"
import { adminListenAddress, ownBaseUrl, ownDashboardUrl } from "../../../Settings.ts"

/** All URLs come from `BASE_URL`, none from request headers. */
export const authorizationUrls = Effect.gen(function*() {
  const issuer = yield* ownBaseUrl
  const { host, pathname, protocol } = new URL(issuer)
  const isMoved = Option.isSome(yield* adminListenAddress)
  return {
    issuer,
    host,
    isSecure: protocol === "https:",
    resource: `${issuer}/mcp`,
    /** The path of `BASE_URL`. Empty when the dashboard has its own origin. */
    prefix: isMoved ? "" : pathname.replace(/\/$/, ""),
    dashboard: `${yield* ownDashboardUrl}/dashboard`
  }
})
export type AuthorizationUrls = Effect.Success<typeof authorizationUrls>

export const scopes = ["read", "write"] as const
