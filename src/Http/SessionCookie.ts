import { Effect, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Credential } from "../Auth/Credential.ts"
import { sessionLifetime } from "../Domain/Session.ts"
import { isGrantToken } from "../Secrets/IssuedSecrets.ts"
import { ownBaseUrl, ownDashboardUrl } from "../Settings.ts"
import { Served } from "./Served.ts"

type Request = Pick<HttpServerRequest.HttpServerRequest, "method" | "headers" | "cookies">

const bearerToken = (authorization = ""): Redacted.Redacted | undefined => {
  const [, token] = /^bearer +(\S+) *$/i.exec(authorization) ?? []
  return token === undefined ? undefined : Redacted.make(token)
}

const isSafe = ({ method }: Request) => method === "GET" || method === "HEAD"

export const sessionCookie = Effect.gen(function*() {
  const { features } = yield* Served
  const baseUrl = yield* ownBaseUrl
  const dashboardUrl = yield* ownDashboardUrl
  const ownOrigins = new Set([baseUrl, dashboardUrl].map((url) => new URL(url).origin))
  const secure = new URL(baseUrl).protocol === "https:"
  // Browsers send a `__Host-` cookie to this host only, over https only.
  const name = secure ? "__Host-openaccounts_session" : "openaccounts_session"
  const attributes = { httpOnly: true, sameSite: "lax", path: "/", secure } as const

  const origins = ({ headers }: Request): "own" | "foreign" | "unknown" => {
    const { origin: from, "sec-fetch-site": site } = headers
    if (site !== undefined) return site === "same-origin" ? "own" : "foreign"
    if (from === undefined) return "unknown"
    return ownOrigins.has(from) ? "own" : "foreign"
  }

  return {
    /** Ignores sessions and tokens of agents while the features that gave them are off. */
    credentialOf: (request: Request): Credential | undefined => {
      const bearer = bearerToken(request.headers["authorization"])
      if (bearer !== undefined) {
        return features["agent_access"] === false && isGrantToken("access", bearer)
          ? undefined
          : { type: "bearer", token: bearer }
      }
      if (request.headers["cookie"] === undefined || features["sign_in"] === false) return undefined
      const token = request.cookies[name]
      if (token === undefined) return undefined
      return {
        type: "cookie",
        token: Redacted.make(token),
        access: request.headers["x-oa-access"] === "read_write" ? "read_write" : "read_only",
        mayBeForged: !isSafe(request) && origins(request) !== "own"
      }
    },

    isForeign: (request: Request): boolean => origins(request) === "foreign",

    set: (response: HttpServerResponse.HttpServerResponse, token: Redacted.Redacted) =>
      HttpServerResponse.setCookieUnsafe(response, name, Redacted.value(token), {
        ...attributes,
        maxAge: sessionLifetime
      }),

    expire: (response: HttpServerResponse.HttpServerResponse) =>
      Effect.orDie(HttpServerResponse.expireCookie(response, name, attributes))
  }
})
