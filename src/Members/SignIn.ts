import { Context, Effect, Layer, Option, type Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InvalidInput, type RateLimited, Unauthenticated } from "../Api/Errors.ts"
import { CurrentAddress } from "../Domain/CurrentAddress.ts"
import type { MemberId } from "../Domain/Ids.ts"
import type { LinkToken } from "../Domain/Link.ts"
import { Member } from "../Domain/Member.ts"
import { networkOf } from "../Domain/Network.ts"
import type { SessionPrincipal } from "../Domain/Principal.ts"
import { SignInMethod } from "../Domain/Session.ts"
import { rowsOf } from "../Sql/Rows.ts"
import { inTransaction } from "../Sql/Transaction.ts"
import { type Attempt, AttemptLimits } from "./AttemptLimits.ts"
import { Audit } from "./Audit.ts"
import { Links } from "./Links.ts"
import { Passwords } from "./Passwords.ts"
import { Sessions } from "./Sessions.ts"
import { signInMethods } from "./SignInMethods.ts"

export interface SignedIn {
  readonly member: Member
  readonly token: Redacted.Redacted
}

export interface PasswordChange {
  readonly password: Redacted.Redacted
  readonly current_password?: Redacted.Redacted
}

type UserAgent = string | undefined

export class SignIn extends Context.Service<SignIn, {
  readonly withPassword: (
    email: string,
    password: Redacted.Redacted,
    userAgent: UserAgent
  ) => Effect.Effect<SignedIn, Unauthenticated | RateLimited>
  readonly withLink: (
    link: LinkToken,
    userAgent: UserAgent
  ) => Effect.Effect<SignedIn, Unauthenticated | InvalidInput>
  /** Requires the current password, except in a session that began with a link. Ends the member's other sessions. */
  readonly setPassword: (
    session: SessionPrincipal,
    change: PasswordChange
  ) => Effect.Effect<void, Unauthenticated | InvalidInput | RateLimited>
  readonly describe: (
    memberId: MemberId
  ) => Effect.Effect<{ readonly member: Member; readonly methods: ReadonlyArray<SignInMethod> }, Unauthenticated>
}>()("openaccounts/Members/SignIn") {
  static readonly layer = Layer.effect(
    SignIn,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const limits = yield* AttemptLimits
      const links = yield* Links
      const passwords = yield* Passwords
      const sessions = yield* Sessions
      const columns = sql`members.id, email, name, role, client_ids, members.created_at`

      const find = (memberId: MemberId) =>
        Effect.flatMap(
          members.first(sql`SELECT ${columns} FROM members WHERE id = ${memberId}`),
          (found) => Option.isSome(found) ? Effect.succeed(found.value) : Effect.fail(new Unauthenticated(gone))
        )

      /** Takes as long for an unknown e-mail address as for a wrong password. */
      const checkPassword = Effect.fnUntraced(function*(
        at: Attempt["at"],
        email: string,
        password: Redacted.Redacted
      ) {
        const source = networkOf((yield* CurrentAddress) ?? "")
        const account = Option.getOrUndefined(
          yield* accounts.first(sql`
          SELECT members.id, passwords.hash, EXISTS (
            SELECT 1 FROM known_addresses WHERE member_id = members.id AND address = ${source}
          ) AS known
          FROM members LEFT JOIN passwords ON passwords.member_id = members.id
          WHERE lower(email) = lower(${email}) ORDER BY members.id LIMIT 1`)
        )
        const attempt = { at, email, source, isKnownSource: account?.known ?? false }
        yield* limits.take(attempt)
        const isRight = yield* passwords.verify(password, account?.hash ?? undefined)
        if (account === undefined || !isRight) {
          yield* audit.refusal({ action: "member.sign_in_refused", subject: account?.id ?? null })
          return yield* new Unauthenticated({ message: wrong[at] })
        }
        yield* limits.giveBack(attempt)
        return account.id
      })

      return SignIn.of({
        withPassword: Effect.fn("SignIn.withPassword")(function*(email, password, userAgent) {
          const memberId = yield* checkPassword("sign-in", email, password)
          const member = yield* find(memberId)
          return { member, token: yield* sessions.start({ memberId, beganWith: "password", userAgent }) }
        }),

        withLink: Effect.fn("SignIn.withLink")(
          function*(link, userAgent) {
            const memberId = yield* links.open(link)
            const member = yield* find(memberId)
            return { member, token: yield* sessions.start({ memberId, beganWith: "link", userAgent }) }
          },
          inTransaction(sql),
          Effect.tapErrorTag("Unauthenticated", () => audit.refusal({ action: "member.link_refused", subject: null }))
        ),

        setPassword: Effect.fn("SignIn.setPassword")(function*(session, { current_password, password }) {
          const { memberId, sessionId } = session
          const [state] = yield* states.all(sql`
            SELECT email, began_with, EXISTS (SELECT 1 FROM passwords WHERE member_id = ${memberId}) AS "hasPassword"
            FROM sessions JOIN members ON members.id = member_id WHERE sessions.id = ${sessionId}`)
          if (state === undefined) return yield* new Unauthenticated(gone)
          if (state.hasPassword && state.began_with !== "link") {
            if (current_password === undefined) return yield* new InvalidInput({ details: [currentMissing] })
            yield* checkPassword("password change", state.email, current_password)
          }
          const hash = yield* passwords.hash(password)
          yield* audit.change(
            Effect.andThen(
              Effect.orDie(sql`
                INSERT INTO passwords (member_id, hash) SELECT id, ${hash} FROM members WHERE id = ${memberId}
                ON CONFLICT (member_id) DO UPDATE SET hash = excluded.hash`),
              sessions.endOthers(session)
            ),
            () => [{ action: "member.password_set", subject: memberId }]
          )
        }),

        describe: Effect.fn("SignIn.describe")(function*(memberId) {
          const member = yield* find(memberId)
          const rows = yield* methods.all(sql`
            SELECT method FROM (${signInMethods(sql)}) AS methods WHERE member_id = ${memberId} ORDER BY method`)
          return { member, methods: rows.map(({ method }) => method) }
        })
      })
    })
  )
}

const members = rowsOf(Schema.toType(Member))

const accounts = rowsOf(Schema.Struct({
  id: Member.fields.id,
  hash: Schema.NullOr(Schema.String),
  known: Schema.Boolean
}))

const states = rowsOf(Schema.Struct({
  email: Schema.String,
  began_with: Schema.String,
  hasPassword: Schema.Boolean
}))

const methods = rowsOf(Schema.Struct({ method: SignInMethod }))

const wrong: Readonly<Record<Attempt["at"], string>> = {
  "sign-in": "The e-mail address or the password is wrong.",
  "password change": "The current password is wrong."
}

const gone = { message: "The member of this session does not exist." }

const currentMissing = { path: ["current_password"], message: "Required, because the member has a password" }
