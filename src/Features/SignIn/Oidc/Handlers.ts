import { Effect, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CurrentSession } from "../../../Api/Authentication.ts"
import { Auth } from "../../../Auth/Auth.ts"
import { signInCookie } from "../../../Http/Pages/SignInCookie.ts"
import { sessionCookie } from "../../../Http/SessionCookie.ts"
import { SignInApi } from "../Contract.ts"
import { oidcLifetime, OidcSignIn } from "./OidcSignIn.ts"

export const OidcHandlers = HttpApiBuilder.group(
  SignInApi,
  "oidc",
  Effect.fn(function*(handlers) {
    const auth = yield* Auth
    const oidc = yield* OidcSignIn
    const session = yield* sessionCookie
    const browserCookie = yield* signInCookie("oidc", oidcLifetime)

    /** None for a request from another site, which must not bind an account, and for an ended session. */
    const currentSession = Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      const credential = session.credentialOf(request)
      if (credential?.type !== "cookie" || session.isForeign(request)) return undefined
      const found = yield* Effect.option(auth.authenticate(credential))
      return Option.isSome(found) && found.value.via === "session" ? found.value : undefined
    })

    return handlers.handleAll({
      start: ({ request }) =>
        Effect.gen(function*() {
          if (request.method === "HEAD" && oidc.isConfigured) return HttpServerResponse.empty()
          const browser = yield* browserCookie.ownOrNew
          const url = yield* oidc.start(yield* currentSession, browser)
          return browserCookie.set(HttpServerResponse.redirect(url, noStore), browser)
        }),
      callback: ({ request }) =>
        Effect.gen(function*() {
          if (request.method === "HEAD" && oidc.isConfigured) return HttpServerResponse.empty()
          const [, search = ""] = request.url.split("?", 2)
          const signedIn = yield* oidc.finish({
            state: new URLSearchParams(search).get("state") ?? "",
            search,
            browser: yield* browserCookie.value,
            userAgent: request.headers["user-agent"]
          })
          const done = HttpServerResponse.redirect("/dashboard", noStore)
          return Option.isSome(signedIn) ? session.set(done, signedIn.value.token) : done
        }),
      unbind: () => Effect.flatMap(CurrentSession, ({ memberId }) => oidc.unbind(memberId))
    })
  })
)

const noStore = { status: 302, headers: { "cache-control": "no-store" } } as const
