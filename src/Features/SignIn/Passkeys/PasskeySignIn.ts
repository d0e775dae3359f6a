import { Clock, Effect, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { Unauthenticated } from "../../../Api/Errors.ts"
import { Audit } from "../../../Audit/Audit.ts"
import { MemberRepo } from "../../../Auth/MemberRepo.ts"
import { AttemptLimits, requestsOf } from "../../../Capacity/AttemptLimits.ts"
import { MemberId, PasskeyId } from "../../../Domain/Ids.ts"
import { CurrentAddress } from "../../../Domain/Request/CurrentAddress.ts"
import { networkOf } from "../../../Domain/Request/Network.ts"
import type { AuthenticationOptions, AuthenticationResponse } from "../../../Domain/SignIn/Passkey.ts"
import { rowsOf } from "../../../Sql/Rows.ts"
import { SignIn, type UserAgent } from "../SignIn.ts"
import { PasskeyChallenges } from "./PasskeyChallenges.ts"
import { userHandle, WebAuthn } from "./WebAuthn.ts"

export interface PasskeyStart {
  readonly options: AuthenticationOptions
  /** The value of a cookie. Only the browser that has it can sign the challenge. */
  readonly browser: Redacted.Redacted
}

export const makePasskeySignIn = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const audit = yield* Audit
  const challenges = yield* PasskeyChallenges
  const limits = yield* AttemptLimits
  const members = yield* MemberRepo
  const signIn = yield* SignIn
  const webAuthn = yield* WebAuthn

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

  return {
    start: Effect.gen(function*() {
      yield* limits.take(requestsOf("passkey", yield* CurrentAddress))
      const options = yield* webAuthn.authentication
      const browser = Redacted.make(randomBytes(32).toString("base64url"), { label: "passkey sign-in" })
      yield* challenges.keep({ type: "browser", id: Redacted.value(browser) }, options.challenge)
      return { options, browser }
    }).pipe(Effect.withSpan("Passkeys.authenticate")),

    finish: Effect.fn("Passkeys.signIn")(function*(
      response: AuthenticationResponse,
      browser: Redacted.Redacted | undefined,
      userAgent: UserAgent
    ) {
      const address = yield* CurrentAddress
      const source = address ?? ""
      const account = Option.getOrUndefined(
        yield* accounts.first(sql`
          SELECT id, member_id, credential_id, public_key, counter::float8 AS counter, EXISTS (
            SELECT 1 FROM known_addresses
            WHERE member_id = passkeys.member_id AND address = ${networkOf(source)}
          ) AS known
          FROM passkeys WHERE credential_id = ${response.id}`)
      )
      const member = Option.getOrUndefined(yield* members.find(account?.member_id ?? null))
      const attempt = {
        at: "passkey" as const,
        email: member?.email,
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
      yield* limits.giveBack(requestsOf("passkey", address))
      return yield* signIn.start({ memberId, beganWith: "passkey", userAgent })
    })
  }
})

const Account = Schema.Struct({
  id: PasskeyId,
  member_id: MemberId,
  credential_id: Schema.String,
  public_key: Schema.Uint8Array,
  counter: Schema.Number,
  known: Schema.Boolean
})
const accounts = rowsOf(Account)

const maxReason = 200

const unstarted = { message: "The browser has no challenge, or its challenge is old or used" }
const unknown = { message: "The passkey is unknown" }
const ofOtherMember = { message: "The passkey names another member" }
const copied = { message: "The signature counter did not grow, as with a copied passkey" }

const notAccepted = "This passkey was not accepted. Try again, or sign in another way and check your passkeys."
