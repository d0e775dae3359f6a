import { Clock, Context, Duration, Effect, Layer, Option, type Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Forbidden, InvalidInput, type RateLimited, Unauthenticated } from "../../../Api/Errors.ts"
import { Audit } from "../../../Audit/Audit.ts"
import { MemberRepo } from "../../../Auth/MemberRepo.ts"
import { SessionRepo } from "../../../Auth/SessionRepo.ts"
import { AttemptLimits } from "../../../Capacity/AttemptLimits.ts"
import type { SessionPrincipal } from "../../../Domain/Access/Principal.ts"
import type { MemberId } from "../../../Domain/Ids.ts"
import { CurrentAddress } from "../../../Domain/Request/CurrentAddress.ts"
import { networkOf } from "../../../Domain/Request/Network.ts"
import type { SessionStart, SignInMethod } from "../../../Domain/Session.ts"
import { rowsOf } from "../../../Sql/Rows.ts"
import { makeSignInMethods } from "../SignInMethods.ts"
import { Passwords } from "./Passwords.ts"
import { PasswordTurns } from "./PasswordTurns.ts"

const recent = Duration.minutes(15)

type At = "sign-in" | "confirmation"

export class PasswordCheck extends Context.Service<PasswordCheck, {
  /** Takes equally long for an unknown e-mail address. Attempts are limited. */
  readonly check: (
    at: At,
    email: string,
    password: Redacted.Redacted
  ) => Effect.Effect<MemberId, Unauthenticated | RateLimited>
  /**
   * Protects against a stolen session: requires the current password, or a recent sign-in of a member without a
   * password. A session that began with a link within the last 15 minutes needs neither.
   */
  readonly confirm: (
    session: SessionPrincipal,
    currentPassword: Redacted.Redacted | undefined
  ) => Effect.Effect<void, Unauthenticated | InvalidInput | RateLimited | Forbidden>
  /** Requires a session that began within the last 15 minutes, or with the invitation of a member who has no sign-in. */
  readonly requireRecentSignIn: (session: SessionPrincipal) => Effect.Effect<void, Unauthenticated | Forbidden>
}>()("openaccounts/Features/SignIn/Passwords/PasswordCheck") {
  static readonly layer = Layer.effect(
    PasswordCheck,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const limits = yield* AttemptLimits
      const members = yield* MemberRepo
      const sessions = yield* SessionRepo
      const methods = yield* makeSignInMethods
      const passwords = yield* Passwords
      const turns = yield* PasswordTurns

      const attempt = Effect.fnUntraced(function*(
        where: { readonly at: At; readonly email: string; readonly source: string },
        password: Redacted.Redacted,
        account: Account | undefined
      ) {
        const attempt = { ...where, isKnownSource: account?.known ?? false }
        yield* limits.take(attempt)
        const isRight = yield* passwords.verify(password, account?.hash ?? undefined)
        if (account === undefined || !isRight) {
          yield* audit.refusal({ action: "member.sign_in_refused", subject: account?.id ?? null })
          return yield* new Unauthenticated({ message: wrong[where.at] })
        }
        yield* limits.giveBack(attempt)
        return account.id
      })

      /** Runs the same statements for an unknown e-mail address. */
      const accountOf = Effect.fnUntraced(function*(email: string, source: string) {
        const id = Option.getOrUndefined(yield* members.findByEmail(email))?.id
        const [stored] = yield* stores.all(sql`
          SELECT (SELECT hash FROM passwords WHERE member_id = ${id ?? ""}) AS hash, EXISTS (
            SELECT 1 FROM known_addresses WHERE member_id = ${id ?? ""} AND address = ${networkOf(source)}
          ) AS known`)
        return id === undefined || stored === undefined ? undefined : { id, ...stored }
      })

      const check = Effect.fnUntraced(function*(at: At, email: string, password: Redacted.Redacted) {
        const source = (yield* CurrentAddress) ?? ""
        const account = yield* turns.lookUp(source)(accountOf(email, source))
        const inTurn = account?.known || account !== undefined && at === "confirmation"
          ? turns.ofMember(account.id)
          : turns.ofStranger(source)
        return yield* inTurn(attempt({ at, email, source }, password, account))
      })

      const stateOf = Effect.fnUntraced(function*({ memberId, sessionId }: SessionPrincipal) {
        const found = Option.all([yield* sessions.find(sessionId), yield* members.find(memberId)])
        if (Option.isNone(found)) {
          return yield* new Unauthenticated({ message: "The member of this session does not exist." })
        }
        const [{ began_with, created_at }, { email }] = found.value
        return { began_with, email, startedAt: created_at, methods: yield* methods.of(memberId) }
      })

      return PasswordCheck.of({
        check,

        confirm: Effect.fn("PasswordCheck.confirm")(function*(session, currentPassword) {
          const state = yield* stateOf(session)
          if (!state.methods.includes("password")) return yield* requireRecent(state)
          if (state.began_with === "link" && (yield* isRecent(state))) return
          if (currentPassword === undefined) return yield* InvalidInput.at("current_password", currentMissing)
          yield* check("confirmation", state.email, currentPassword)
        }),

        requireRecentSignIn: (session) => Effect.flatMap(stateOf(session), requireRecent)
      })
    })
  ).pipe(
    Layer.provide([AttemptLimits.layer, Passwords.layer, PasswordTurns.layer])
  )
}

const isRecent = ({ startedAt }: State) =>
  Effect.map(Clock.currentTimeMillis, (now) => startedAt.getTime() > now - Duration.toMillis(recent))

const requireRecent = Effect.fnUntraced(function*(state: State) {
  // An invited member who has no way to sign in yet could not sign in again.
  if (state.began_with === "link" && state.methods.length === 0 || (yield* isRecent(state))) return
  return yield* new Forbidden({
    message: "This needs a sign-in within the last 15 minutes. Sign out, and sign in again."
  })
})

interface Account {
  readonly id: MemberId
  readonly hash: string | null
  /** The member has signed in at this address. */
  readonly known: boolean
}
const stores = rowsOf(Schema.Struct({ hash: Schema.NullOr(Schema.String), known: Schema.Boolean }))

interface State {
  readonly email: string
  readonly began_with: SessionStart
  readonly startedAt: Date
  readonly methods: ReadonlyArray<SignInMethod>
}

const wrong: Readonly<Record<At, string>> = {
  "sign-in": "The e-mail address or the password is wrong.",
  confirmation: "The current password is wrong."
}

const currentMissing = "Required, because the member has a password"
