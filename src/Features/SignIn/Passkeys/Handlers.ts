import { Effect, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CurrentSession } from "../../../Api/Authentication.ts"
import { AuthenticationOptions, challengeLifetime } from "../../../Domain/SignIn/Passkey.ts"
import { signInCookie } from "../../../Http/Pages/SignInCookie.ts"
import { sessionCookie } from "../../../Http/SessionCookie.ts"
import { SignInApi } from "../Contract.ts"
import { SignedIn } from "../SignedIn.ts"
import { Passkeys } from "./Passkeys.ts"

export const PasskeySignInHandlers = HttpApiBuilder.group(
  SignInApi,
  "passkeySignIn",
  Effect.fn(function*(handlers) {
    const passkeys = yield* Passkeys
    const session = yield* sessionCookie
    const browserCookie = yield* signInCookie("passkey", challengeLifetime)

    return handlers.handleAll({
      options: Effect.fnUntraced(function*() {
        const { browser, options } = yield* passkeys.authenticate
        return browserCookie.set(HttpServerResponse.jsonUnsafe(encodeOptions({ options })), browser)
      }),
      signIn: Effect.fnUntraced(function*({ payload: { response } }) {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const { member, token } = yield* passkeys.signIn(response, yield* browserCookie.value, headers["user-agent"])
        return yield* browserCookie.expire(
          session.set(HttpServerResponse.jsonUnsafe(encodeSignedIn({ member })), token)
        )
      })
    })
  })
)

const encodeOptions = Schema.encodeSync(Schema.Struct({ options: AuthenticationOptions }))
const encodeSignedIn = Schema.encodeSync(Schema.toCodecJson(SignedIn))

export const PasskeysHandlers = HttpApiBuilder.group(
  SignInApi,
  "passkeys",
  Effect.fn(function*(handlers) {
    const passkeys = yield* Passkeys

    return handlers.handleAll({
      list: () =>
        Effect.flatMap(
          CurrentSession,
          ({ memberId }) => Effect.map(passkeys.list(memberId), (list) => ({ passkeys: list }))
        ),
      options: ({ payload }) =>
        Effect.flatMap(
          CurrentSession,
          (session) => Effect.map(passkeys.register(session, payload.current_password), (options) => ({ options }))
        ),
      add: ({ payload }) => Effect.flatMap(CurrentSession, (session) => passkeys.add(session, payload)),
      remove: ({ params }) => Effect.flatMap(CurrentSession, ({ memberId }) => passkeys.remove(memberId, params.id))
    })
  })
)
