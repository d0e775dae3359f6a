import { Duration, Effect, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { ownBaseUrl } from "../../Settings.ts"

export const signInCookie = (of: string, lifetime: Duration.Duration) =>
  Effect.map(ownBaseUrl, (baseUrl) => {
    const secure = new URL(baseUrl).protocol === "https:"
    const name = `${secure ? "__Host-" : ""}openaccounts_${of}`
    const attributes = { httpOnly: true, sameSite: "lax", path: "/", secure } as const

    return {
      value: Effect.map(HttpServerRequest.HttpServerRequest, ({ cookies }) => {
        const value = cookies[name]
        return value === undefined ? undefined : Redacted.make(value)
      }),

      set: (response: HttpServerResponse.HttpServerResponse, value: Redacted.Redacted) =>
        HttpServerResponse.setCookieUnsafe(response, name, Redacted.value(value), { ...attributes, maxAge: lifetime }),

      expire: (response: HttpServerResponse.HttpServerResponse) =>
        Effect.orDie(HttpServerResponse.expireCookie(response, name, attributes))
    }
  })

/** Identifies the browser of a visitor, for longer than a sign-in and its confirmation together. */
export const connectCookie = signInCookie("connect", Duration.hours(1))
