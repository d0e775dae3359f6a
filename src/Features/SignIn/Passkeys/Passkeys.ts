import { Clock, Context, Effect, Layer, Option, type Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type Forbidden, InvalidInput, type RateLimited, type Unauthenticated } from "../../../Api/Errors.ts"
import { Audit } from "../../../Audit/Audit.ts"
import { MemberRepo } from "../../../Auth/MemberRepo.ts"
import { AttemptLimits } from "../../../Capacity/AttemptLimits.ts"
import type { SessionPrincipal } from "../../../Domain/Access/Principal.ts"
import { type MemberId, PasskeyId } from "../../../Domain/Ids.ts"
import { newId } from "../../../Domain/NewId.ts"
import {
  type AuthenticationResponse,
  Passkey,
  type RegistrationOptions,
  type RegistrationResponse
} from "../../../Domain/SignIn/Passkey.ts"
import { rowsOf, valuesOf } from "../../../Sql/Rows.ts"
import { PasswordCheck } from "../Passwords/PasswordCheck.ts"
import { SignIn, type StartedSession, type UserAgent } from "../SignIn.ts"
import { PasskeyNotFound } from "./Contract.ts"
import { PasskeyChallenges } from "./PasskeyChallenges.ts"
import { makePasskeySignIn, type PasskeyStart } from "./PasskeySignIn.ts"
import { WebAuthn } from "./WebAuthn.ts"

const maxPasskeys = 50

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
  ) => Effect.Effect<StartedSession, Unauthenticated | RateLimited>
}>()("openaccounts/Features/SignIn/Passkeys/Passkeys") {
  static readonly layer = Layer.effect(
    Passkeys,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const challenges = yield* PasskeyChallenges
      const members = yield* MemberRepo
      const passwordCheck = yield* PasswordCheck
      const signIn = yield* SignIn
      const webAuthn = yield* WebAuthn
      const passkeySignIn = yield* makePasskeySignIn
      const columns = sql`id, name, created_at, last_used_at`

      const credentialsOf = (memberId: MemberId) =>
        credentialIds.all(sql`SELECT credential_id FROM passkeys WHERE member_id = ${memberId} ORDER BY id`)

      return Passkeys.of({
        register: Effect.fn("Passkeys.register")(function*(session, currentPassword) {
          yield* passwordCheck.confirm(session, currentPassword)
          const { member } = yield* signIn.describe(session.memberId)
          const existing = yield* credentialsOf(session.memberId)
          if (existing.length >= maxPasskeys) return yield* new InvalidInput({ details: [tooMany] })
          const options = yield* webAuthn.registration(member, existing)
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
              const isMember = Option.isSome(yield* members.find(memberId, "FOR SHARE"))
              const added = !isMember ? [] : yield* Effect.orDie(sql`
                INSERT INTO passkeys ${
                sql.insert({
                  id,
                  member_id: memberId,
                  name,
                  credential_id: credential.id,
                  public_key: Buffer.from(credential.publicKey),
                  counter: credential.counter,
                  created_at
                })
              } ON CONFLICT (credential_id) DO NOTHING RETURNING id`)
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

        authenticate: passkeySignIn.start,
        signIn: passkeySignIn.finish
      })
    })
  ).pipe(
    Layer.provide([AttemptLimits.layer, PasskeyChallenges.layer, PasswordCheck.layer, SignIn.layer, WebAuthn.layer])
  )
}

const passkeys = rowsOf(Schema.toType(Passkey))

const credentialIds = valuesOf(Schema.String)

const tooMany = { path: [], message: `The member has ${maxPasskeys} passkeys. Remove one first` }
const notStarted = {
  path: ["response"],
  message: "This session did not start to add a passkey within the last 5 minutes. Start again"
}

const refused = (reason: string) => InvalidInput.at("response", `The passkey was not accepted: ${reason}`)
