import { Clock, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { type Forbidden, InvalidInput, type RateLimited, Unauthenticated } from "../Api/Errors.ts"
import { PasskeyNotFound } from "../Api/ManagementErrors.ts"
import { CurrentAddress } from "../Domain/CurrentAddress.ts"
import { MemberId, PasskeyId } from "../Domain/Ids.ts"
import { networkOf } from "../Domain/Network.ts"
import { newId } from "../Domain/NewId.ts"
import {
  type AuthenticationOptions,
  type AuthenticationResponse,
  Passkey,
  type RegistrationOptions,
  type RegistrationResponse
} from "../Domain/Passkey.ts"
import type { SessionPrincipal } from "../Domain/Principal.ts"
import { rowsOf } from "../Sql/Rows.ts"
import { AttemptLimits } from "./AttemptLimits.ts"
import { Audit } from "./Audit.ts"
import { PasskeyChallenges } from "./PasskeyChallenges.ts"
import { PasswordCheck } from "./PasswordCheck.ts"
import { type SignedIn, SignIn, type UserAgent } from "./SignIn.ts"
import { userHandle, WebAuthn } from "./WebAuthn.ts"

const maxPasskeys = 50

export interface PasskeyStart {
  readonly options: AuthenticationOptions
  /** The value of a cookie. Only the browser that has it can answer. */
  readonly browser: Redacted.Redacted
}

export class Passkeys extends Context.Service<Passkeys, {
  /** The caller confirms it first with `PasswordCheck.confirm`. */
  readonly register: (
    session: SessionPrincipal,
    currentPassword: Redacted.Redacted | undefined
  ) => Effect.Effect<RegistrationOptions, Unauthenticated | InvalidInput | RateLimited | Forbidden>
  readonly add: (
    session: SessionPrincipal,
    passkey: { readonly name: string; readonly response: RegistrationResponse }
  ) => Effect.Effect<Passkey, InvalidInput>
  readonly list: (memberId: MemberId) => Effect.Effect<ReadonlyArray<Passkey>>
  readonly remove: (memberId: MemberId, id: string) => Effect.Effect<void, PasskeyNotFound>
  readonly authenticate: Effect.Effect<PasskeyStart, RateLimited>
  readonly signIn: (
    response: AuthenticationResponse,
    browser: Redacted.Redacted | undefined,
    userAgent: UserAgent
  ) => Effect.Effect<SignedIn, Unauthenticated | RateLimited>
}>()("openaccounts/Members/Passkeys") {
  static readonly layer = Layer.effect(
    Passkeys,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const challenges = yield* PasskeyChallenges
      const limits = yield* AttemptLimits
      const passwordCheck = yield* PasswordCheck
      const signIn = yield* SignIn
      const webAuthn = yield* WebAuthn
      const columns = sql`id, name, created_at, last_used_at`

      const credentialsOf = (memberId: MemberId) =>
        credentialIds.all(sql`SELECT credential_id FROM passkeys WHERE member_id = ${memberId} ORDER BY id`)

      const verify = Effect.fnUntraced(function*(
        response: AuthenticationResponse,
        browser: Redacted.Redacted | undefined,
        account: typeof Account.Type | undefined
      ) {
        const challenge = browser === undefined
          ? Option.none()
          : yield* challenges.redeem({ type: "browser", id: Redacted.value(browser) })
        if (Option.isNone(challenge)) return yield* Effect.fail(unstarted)
        if (account === undefined) return yield* Effect.fail(unknown)
        const { counter, credential_id, member_id, public_key } = account
        const { userHandle: handle } = response.response
        if (handle !== undefined && handle !== userHandle(member_id)) return yield* Effect.fail(ofOtherMember)
        const next = yield* webAuthn.authenticate(response, challenge.value, {
          id: credential_id,
          publicKey: public_key,
          counter
        })
        // Two sign-ins with the same count mean a copied key: only one succeeds.
        const used = yield* Effect.orDie(sql`
          UPDATE passkeys SET counter = ${next}, last_used_at = ${new Date(yield* Clock.currentTimeMillis)}
          WHERE id = ${account.id} AND (counter < ${next} OR counter = 0 AND ${next}::bigint = 0) RETURNING id`)
        if (used.length === 0) return yield* Effect.fail(copied)
        return account.member_id
      })

      return Passkeys.of({
        register: Effect.fn("Passkeys.register")(function*(session, currentPassword) {
          yield* passwordCheck.confirm(session, currentPassword)
          const { member } = yield* signIn.describe(session.memberId)
          const existing = yield* credentialsOf(session.memberId)
          if (existing.length >= maxPasskeys) return yield* new InvalidInput({ details: [tooMany] })
          const options = yield* webAuthn.registration(member, existing.map(({ credential_id }) => credential_id))
          yield* challenges.keep({ type: "session", id: session.sessionId }, options.challenge)
          return options
        }),

        add: Effect.fn("Passkeys.add")(function*({ memberId, sessionId }, { name, response }) {
          const challenge = yield* challenges.redeem({ type: "session", id: sessionId })
          if (Option.isNone(challenge)) return yield* new InvalidInput({ details: [notStarted] })
          const credential = yield* Effect.catch(
            webAuthn.register(response, challenge.value),
            ({ message }) => Effect.fail(refused(message))
          )
          const id = PasskeyId.make(yield* newId("pas"))
          const created_at = new Date(yield* Clock.currentTimeMillis)
          return yield* audit.change(
            Effect.gen(function*() {
              const added = yield* Effect.orDie(sql`
                INSERT INTO passkeys (id, member_id, name, credential_id, public_key, counter, created_at)
                SELECT ${id}, members.id, ${name}, ${credential.id}, ${Buffer.from(credential.publicKey)},
                  ${credential.counter}::bigint, ${created_at}::timestamptz
                FROM members WHERE members.id = ${memberId} FOR SHARE
                ON CONFLICT (credential_id) DO NOTHING RETURNING id`)
              if (added.length === 0) return yield* refused("The passkey is in use")
              return { id, name, created_at, last_used_at: null }
            }),
            () => [{ action: "passkey.added", subject: id, details: { member_id: memberId, name } }]
          )
        }),

        list: (memberId) =>
          passkeys.all(sql`SELECT ${columns} FROM passkeys WHERE member_id = ${memberId} ORDER BY id`),

        remove: Effect.fn("Passkeys.remove")(function*(memberId, id) {
          yield* audit.change(
            Effect.gen(function*() {
              const removed = yield* passkeys.first(sql`
                DELETE FROM passkeys WHERE id = ${id} AND member_id = ${memberId} RETURNING ${columns}`)
              return Option.isNone(removed) ? yield* new PasskeyNotFound() : removed.value
            }),
            ({ name }) => [{ action: "passkey.removed", subject: id, details: { member_id: memberId, name } }]
          )
        }),

        authenticate: Effect.gen(function*() {
          yield* limits.take(startOf(networkOf((yield* CurrentAddress) ?? "")))
          const options = yield* webAuthn.authentication
          const browser = Redacted.make(randomBytes(32).toString("base64url"), { label: "passkey sign-in" })
          yield* challenges.keep({ type: "browser", id: Redacted.value(browser) }, options.challenge)
          return { options, browser }
        }).pipe(Effect.withSpan("Passkeys.authenticate")),

        signIn: Effect.fn("Passkeys.signIn")(function*(response, browser, userAgent) {
          const source = networkOf((yield* CurrentAddress) ?? "")
          const account = Option.getOrUndefined(
            yield* accounts.first(sql`
              SELECT passkeys.id, member_id, email, credential_id, public_key, counter::float8 AS counter, EXISTS (
                SELECT 1 FROM known_addresses WHERE member_id = members.id AND address = ${source}
              ) AS known
              FROM passkeys JOIN members ON members.id = member_id WHERE credential_id = ${response.id}`)
          )
          const attempt = {
            at: "passkey" as const,
            email: account?.email,
            source,
            isKnownSource: account?.known ?? false
          }
          yield* limits.take(attempt)
          const memberId = yield* verify(response, browser, account).pipe(
            Effect.tapError(({ message }) =>
              audit.refusal({
                action: "member.sign_in_refused",
                subject: account?.member_id ?? null,
                details: { method: "passkey", reason: message.slice(0, maxReason) }
              })
            ),
            Effect.mapError(() => new Unauthenticated({ message: notAccepted }))
          )
          yield* limits.giveBack(attempt)
          yield* limits.giveBack(startOf(source))
          return yield* signIn.start({ memberId, beganWith: "passkey", userAgent })
        })
      })
    })
  )
}

/** The account is not known yet, so only the address is limited. */
const startOf = (source: string) => ({ at: "passkey" as const, email: undefined, source, isKnownSource: true })

const Account = Schema.Struct({
  id: PasskeyId,
  member_id: MemberId,
  email: Schema.String,
  credential_id: Schema.String,
  public_key: Schema.Uint8Array,
  counter: Schema.Number,
  known: Schema.Boolean
})
const accounts = rowsOf(Account)

const passkeys = rowsOf(Schema.toType(Passkey))

const credentialIds = rowsOf(Schema.Struct({ credential_id: Schema.String }))

const maxReason = 200

const unstarted = { message: "The browser has no challenge, or its challenge is old or used" }
const unknown = { message: "The passkey is unknown" }
const ofOtherMember = { message: "The passkey names another member" }
const copied = { message: "The signature counter did not grow, as with a copied passkey" }

const notAccepted = "This passkey was not accepted. Try again, or sign in another way and check your passkeys."

const tooMany = { path: [], message: `The member has ${maxPasskeys} passkeys. Remove one first` }
const notStarted = {
  path: ["response"],
  message: "This session did not start to add a passkey within the last 5 minutes. Start again"
}

const refused = (reason: string) =>
  new InvalidInput({ details: [{ path: ["response"], message: `The passkey was not accepted: ${reason}` }] })
