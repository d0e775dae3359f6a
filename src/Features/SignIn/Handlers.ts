import { Effect, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type { SignInMethod } from "../../Domain/Session.ts"
import { sessionCookie } from "../../Http/SessionCookie.ts"
import { SignInApi } from "./Contract.ts"
import { Links } from "./Links.ts"
import { OidcSignIn } from "./Oidc/OidcSignIn.ts"
import { WebAuthn } from "./Passkeys/WebAuthn.ts"
import { SignedIn } from "./SignedIn.ts"
import { SignIn, type StartedSession } from "./SignIn.ts"

export const SignInHandlers = HttpApiBuilder.group(
  SignInApi,
  "signIn",
  Effect.fn(function*(handlers) {
    const signIn = yield* SignIn
    const { isAvailable } = yield* WebAuthn
    const { isConfigured } = yield* OidcSignIn
    const methods: ReadonlyArray<SignInMethod> = [
      "password",
      ...(isAvailable ? ["passkey" as const] : []),
      ...(isConfigured ? ["oidc" as const] : [])
    ]
    const cookie = yield* sessionCookie

    const userAgent = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => headers["user-agent"])
    const toResponse = ({ member, token }: StartedSession) =>
      cookie.set(HttpServerResponse.jsonUnsafe(encode({ member })), token)

    return handlers.handleAll({
      methods: () => Effect.succeed({ methods }),
      link: Effect.fnUntraced(function*({ payload }) {
        return toResponse(yield* signIn.withLink(payload, yield* userAgent))
      }),
      password: Effect.fnUntraced(function*({ payload: { email, password } }) {
        return toResponse(yield* signIn.withPassword(email, password, yield* userAgent))
      })
    })
  })
)

const encode = Schema.encodeSync(Schema.toCodecJson(SignedIn))

export const MemberLinksHandlers = HttpApiBuilder.group(
  SignInApi,
  "memberLinks",
  Effect.fn(function*(handlers) {
    const links = yield* Links
    return handlers.handleAll({ create: ({ params }) => links.create(params.id) })
  })
)
