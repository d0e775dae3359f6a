import { Context, Effect, Layer, Option, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { type Forbidden, type InvalidInput, type RateLimited, Unauthenticated } from "../../Api/Errors.ts"
import { Audit } from "../../Audit/Audit.ts"
import { MemberRepo } from "../../Auth/MemberRepo.ts"
import { AttemptLimits, requestsOf } from "../../Capacity/AttemptLimits.ts"
import type { SessionPrincipal } from "../../Domain/Access/Principal.ts"
import type { MemberId } from "../../Domain/Ids.ts"
import type { Member } from "../../Domain/Member.ts"
import { CurrentAddress } from "../../Domain/Request/CurrentAddress.ts"
import type { SignInMethod } from "../../Domain/Session.ts"
import { inTransaction } from "../../Sql/Transaction.ts"
import type { LinkToken } from "./Link.ts"
import { Links } from "./Links.ts"
import { deleteWithMembers } from "./MemberData.ts"
import { PasswordCheck } from "./Passwords/PasswordCheck.ts"
import { Passwords } from "./Passwords/Passwords.ts"
import { PasswordTurns } from "./Passwords/PasswordTurns.ts"
import { type NewSession, Sessions } from "./Sessions.ts"
import { makeSignInMethods } from "./SignInMethods.ts"

export interface StartedSession {
  readonly member: Member
  readonly token: Redacted.Redacted
}

export interface PasswordChange {
  readonly password: Redacted.Redacted
  readonly current_password?: Redacted.Redacted
}

export type UserAgent = string | undefined

export class SignIn extends Context.Service<SignIn, {
  readonly withPassword: (
    email: string,
    password: Redacted.Redacted,
    userAgent: UserAgent
  ) => Effect.Effect<StartedSession, Unauthenticated | RateLimited>
  readonly withLink: (
    link: LinkToken,
    userAgent: UserAgent
  ) => Effect.Effect<StartedSession, Unauthenticated | InvalidInput | RateLimited>
  readonly start: (session: NewSession) => Effect.Effect<StartedSession, Unauthenticated>
  /** The caller confirms it first with `PasswordCheck.confirm`. Ends the member's other sessions and its link. */
  readonly setPassword: (
    session: SessionPrincipal,
    change: PasswordChange
  ) => Effect.Effect<void, Unauthenticated | InvalidInput | RateLimited | Forbidden>
  readonly describe: (
    memberId: MemberId
  ) => Effect.Effect<{ readonly member: Member; readonly methods: ReadonlyArray<SignInMethod> }, Unauthenticated>
}>()("openaccounts/Features/SignIn/SignIn") {
  static readonly layer = Layer.effect(
    SignIn,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const limits = yield* AttemptLimits
      const links = yield* Links
      const members = yield* MemberRepo
      const passwordCheck = yield* PasswordCheck
      const passwords = yield* Passwords
      const sessions = yield* Sessions
      const turns = yield* PasswordTurns
      const methods = yield* makeSignInMethods
      yield* deleteWithMembers

      const find = (memberId: MemberId, lock?: "FOR SHARE") =>
        Effect.flatMap(
          members.find(memberId, lock),
          (found) =>
            Option.isSome(found) ? Effect.succeed(found.value) : Effect.fail(new Unauthenticated(memberMissing))
        )

      const start = Effect.fnUntraced(function*(session: NewSession) {
        const member = yield* find(session.memberId)
        return { member, token: yield* sessions.start(session) }
      })

      const openLink = Effect.fnUntraced(
        function*(link: LinkToken, userAgent: UserAgent) {
          return yield* start({ memberId: yield* links.open(link), beganWith: "link", userAgent })
        },
        inTransaction(sql),
        Effect.tapErrorTag("Unauthenticated", () => audit.refusal({ action: "member.link_refused", subject: null }))
      )

      const hashNew = Effect.fnUntraced(function*(memberId: MemberId, password: Redacted.Redacted) {
        const { email } = yield* find(memberId)
        const source = (yield* CurrentAddress) ?? ""
        const attempt = { at: "new password", email, source, isKnownSource: true } as const
        yield* limits.take(attempt)
        return yield* passwords.hash(password).pipe(
          // Refused passwords were not hashed.
          Effect.tapErrorTag("InvalidInput", () => limits.giveBack(attempt))
        )
      })

      return SignIn.of({
        start,

        withPassword: Effect.fn("SignIn.withPassword")(function*(email, password, userAgent) {
          const memberId = yield* passwordCheck.check("sign-in", email, password)
          return yield* start({ memberId, beganWith: "password", userAgent })
        }),

        withLink: Effect.fn("SignIn.withLink")(function*(link, userAgent) {
          const attempt = requestsOf("link", yield* CurrentAddress)
          yield* limits.take(attempt)
          const signedIn = yield* openLink(link, userAgent)
          yield* limits.giveBack(attempt)
          return signedIn
        }),

        setPassword: Effect.fn("SignIn.setPassword")(function*(session, { current_password, password }) {
          const { memberId } = session
          yield* passwordCheck.confirm(session, current_password)
          const hash = yield* turns.ofMember(memberId)(hashNew(memberId, password))
          yield* audit.change(
            Effect.gen(function*() {
              yield* find(memberId, "FOR SHARE")
              yield* Effect.orDie(sql`
                INSERT INTO passwords (member_id, hash) VALUES (${memberId}, ${hash})
                ON CONFLICT (member_id) DO UPDATE SET hash = excluded.hash`)
              yield* sessions.endOthers(session)
              yield* links.endOf(memberId)
            }),
            () => [{ action: "member.password_set", subject: memberId }]
          )
        }),

        describe: Effect.fn("SignIn.describe")(function*(memberId) {
          return { member: yield* find(memberId), methods: yield* methods.of(memberId) }
        })
      })
    })
  ).pipe(
    Layer.provide([
      AttemptLimits.layer,
      Links.layer,
      PasswordCheck.layer,
      Passwords.layer,
      PasswordTurns.layer,
      Sessions.layer
    ])
  )
}

const memberMissing = { message: "The member of this session does not exist." }
