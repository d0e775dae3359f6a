import { Effect, Option } from "effect"
import { adminListenAddress, ownBaseUrl, ownDashboardUrl } from "../Settings.ts"

export const paths = {
  authorize: "/oauth/authorize",
  consent: "/oauth/consent",
  token: "/oauth/token",
  register: "/oauth/register",
  revoke: "/oauth/revoke"
} as const

/** Everything is derived from `BASE_URL`, and nothing from the headers of a request. */
export const authorizationUrls = Effect.gen(function*() {
  const issuer = yield* ownBaseUrl
  const { host, pathname, protocol } = new URL(issuer)
  const isMoved = Option.isSome(yield* adminListenAddress)
  return {
    issuer,
    host,
    isSecure: protocol === "https:",
    /** The resource that tokens are for. */
    resource: `${issuer}/mcp`,
    /** The path of `BASE_URL`. Members use the origin that they have signed in at, which may be the dashboard's. */
    prefix: isMoved ? "" : pathname.replace(/\/$/, ""),
    dashboard: `${yield* ownDashboardUrl}/dashboard`
  }
})
export type AuthorizationUrls = Effect.Success<typeof authorizationUrls>

export const scopes = ["read", "write"] as const
