import { Duration, Effect, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { randomBytes } from "node:crypto"
import { ownBaseUrl } from "../../Settings.ts"

export const signInCookie = (of: string, lifetime: Duration.Duration) =>
  Effect.map(ownBaseUrl, (baseUrl) => {
    const secure = new URL(baseUrl).protocol === "https:"
    const name = `${secure ? "__Host-" : ""}openaccounts_${of}`
    const attributes = { httpOnly: true, sameSite: "lax", path: "/", secure } as const
    const value = Effect.map(HttpServerRequest.HttpServerRequest, ({ cookies }) => {
      const sent = cookies[name]
      return sent !== undefined && /^[\w-]{43}$/.test(sent) ? Redacted.make(sent) : undefined
    })

    return {
      value,

      /** The value that the browser has, so that sign-ins in several tabs can finish, or a new one. */
      ownOrNew: Effect.map(
        value,
        (own) => own ?? Redacted.make(randomBytes(32).toString("base64url"), { label: `${of} browser` })
      ),

      set: (response: HttpServerResponse.HttpServerResponse, value: Redacted.Redacted) =>
        HttpServerResponse.setCookieUnsafe(response, name, Redacted.value(value), { ...attributes, maxAge: lifetime }),

      expire: (response: HttpServerResponse.HttpServerResponse) =>
        Effect.orDie(HttpServerResponse.expireCookie(response, name, attributes))
    }
  })

/** Identifies the browser of a visitor, for longer than a sign-in and its confirmation together. */
export const connectCookie = signInCookie("connect", Duration.hours(1))
