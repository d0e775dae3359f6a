import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CurrentSession } from "../../Api/Authentication.ts"
import { Unauthenticated } from "../../Api/Errors.ts"
import { sessionCookie } from "../../Http/SessionCookie.ts"
import { Members } from "../../Management/Members.ts"
import { SignInApi } from "./Contract.ts"
import { Sessions } from "./Sessions.ts"
import { SignIn } from "./SignIn.ts"

export const SessionHandlers = HttpApiBuilder.group(
  SignInApi,
  "session",
  Effect.fn(function*(handlers) {
    const signIn = yield* SignIn
    const sessions = yield* Sessions
    const members = yield* Members
    const cookie = yield* sessionCookie

    const end = Effect.fnUntraced(function*(id: string) {
      const { memberId, sessionId } = yield* CurrentSession
      yield* sessions.end(memberId, id)
      const response = HttpServerResponse.empty()
      return id === sessionId ? yield* cookie.expire(response) : response
    })

    return handlers.handleAll({
      get: () => Effect.flatMap(CurrentSession, ({ memberId }) => signIn.describe(memberId)),
      rename: Effect.fnUntraced(function*({ payload: { name } }) {
        const { memberId } = yield* CurrentSession
        const member = yield* Effect.catchTags(members.change(memberId, { name }), {
          MemberNotFound: () => Effect.fail(new Unauthenticated({ message: "The member was deleted." })),
          // A change of the name alone cannot fail with these.
          ClientNotFound: Effect.die,
          EmailTaken: Effect.die,
          InvalidInput: Effect.die,
          LastAdmin: Effect.die
        })
        return { member }
      }),
      setPassword: ({ payload }) => Effect.flatMap(CurrentSession, (session) => signIn.setPassword(session, payload)),
      signOut: () =>
        Effect.flatMap(
          CurrentSession,
          ({ sessionId }) => Effect.catch(end(sessionId), () => cookie.expire(HttpServerResponse.empty()))
        ),
      list: () =>
        Effect.flatMap(CurrentSession, (session) => Effect.map(sessions.list(session), (list) => ({ sessions: list }))),
      end: ({ params }) => end(params.id),
      endOthers: () => Effect.flatMap(CurrentSession, sessions.endOthers)
    })
  })
)
