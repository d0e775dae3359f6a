import { Clock, Context, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { createHmac, hash, randomBytes } from "node:crypto"
import { Forbidden, type RateLimited, Unauthenticated } from "../../../Api/Errors.ts"
import { type UpstreamUnreachable } from "../../../Api/Errors/ProviderErrors.ts"
import { RouteNotFound } from "../../../Api/Errors/RequestErrors.ts"
import { Audit } from "../../../Audit/Audit.ts"
import { MemberRepo } from "../../../Auth/MemberRepo.ts"
import { SessionRepo } from "../../../Auth/SessionRepo.ts"
import { AttemptLimits, requestsOf } from "../../../Capacity/AttemptLimits.ts"
import type { SessionPrincipal } from "../../../Domain/Access/Principal.ts"
import { MemberId } from "../../../Domain/Ids.ts"
import { CurrentActor, memberActor } from "../../../Domain/Request/Actor.ts"
import { CurrentAddress } from "../../../Domain/Request/CurrentAddress.ts"
import { rowsOf, valuesOf } from "../../../Sql/Rows.ts"
import { PasswordCheck } from "../Passwords/PasswordCheck.ts"
import { SignIn, type StartedSession, type UserAgent } from "../SignIn.ts"
import { type OidcAccount, OidcProvider, type Proofs } from "./OidcProvider.ts"

export const oidcLifetime = Duration.minutes(10)

export interface OidcCallback {
  readonly state: string
  readonly search: string
  readonly browser: Redacted.Redacted | undefined
  readonly userAgent: UserAgent
}

export class OidcSignIn extends Context.Service<OidcSignIn, {
  readonly isConfigured: boolean
  /**
   * Returns the provider's URL. Within a session, the account is bound to the session's member, which needs a link or a
   * recent sign-in. `browser` is the value of a cookie: only the browser that has it can finish.
   */
  readonly start: (
    session: SessionPrincipal | undefined,
    browser: Redacted.Redacted
  ) => Effect.Effect<string, RouteNotFound | Unauthenticated | Forbidden | RateLimited | UpstreamUnreachable>
  /** Returns nothing when it has bound an account. A state is valid once. */
  readonly finish: (
    callback: OidcCallback
  ) => Effect.Effect<Option.Option<StartedSession>, RouteNotFound | Unauthenticated | Forbidden | UpstreamUnreachable>
  readonly unbind: (memberId: MemberId) => Effect.Effect<void, RouteNotFound>
}>()("openaccounts/Features/SignIn/Oidc/OidcSignIn") {
  static readonly layerNoDeps = Layer.effect(
    OidcSignIn,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const limits = yield* AttemptLimits
      const members = yield* MemberRepo
      const sessions = yield* SessionRepo
      const passwordCheck = yield* PasswordCheck
      const signIn = yield* SignIn
      const { provider } = yield* OidcProvider
      const configured = Effect.suspend(() =>
        Option.isSome(provider) ? Effect.succeed(provider.value) : Effect.fail(new RouteNotFound())
      )

      const attempt = Effect.map(CurrentAddress, (address) => requestsOf("oidc", address))

      const redeem = Effect.fnUntraced(function*(state: string, browser: Redacted.Redacted) {
        const found = yield* started.first(sql`
          DELETE FROM oidc_sign_ins
          WHERE state_hash = ${sha256(state)} AND browser_hash = ${sha256(Redacted.value(browser))}
          RETURNING session_id, created_at`)
        const since = (yield* Clock.currentTimeMillis) - Duration.toMillis(oidcLifetime)
        return Option.filter(found, ({ created_at }) => created_at.getTime() > since)
      })

      const memberOf = ({ issuer, subject }: OidcAccount) =>
        bound.first(sql`SELECT member_id FROM oidc_accounts WHERE issuer = ${issuer} AND subject = ${subject}`)

      const bind = Effect.fnUntraced(function*(account: OidcAccount, sessionId: string) {
        const { issuer, subject } = account
        const session = yield* sessions.find(sessionId)
        if (Option.isNone(session)) return yield* refusal(sessionEnded)
        const { member_id } = session.value
        const added = yield* audit.change(
          Effect.gen(function*() {
            if (Option.isNone(yield* members.find(member_id, "FOR SHARE"))) return []
            const created_at = new Date(yield* Clock.currentTimeMillis)
            return yield* Effect.orDie(sql`
              INSERT INTO oidc_accounts ${sql.insert({ issuer, subject, member_id, created_at })}
              ON CONFLICT (issuer, subject) DO NOTHING RETURNING member_id`)
          }),
          (rows) => rows.map(() => ({ action: "member.oidc_bound", subject: member_id, details: { issuer, subject } }))
        ).pipe(Effect.provideService(CurrentActor, memberActor(member_id)))
        if (added.length > 0) return Option.none<StartedSession>()
        const owner = yield* memberOf(account)
        if (Option.isNone(owner)) return yield* refusal(sessionEnded)
        if (owner.value !== member_id) {
          return yield* new Forbidden({ message: "This account at the provider is bound to another member." })
        }
        return Option.none<StartedSession>()
      })

      const verify = Effect.fnUntraced(function*({ browser, search, state }: OidcCallback) {
        const { account } = yield* configured
        const redeemed = browser === undefined ? Option.none() : yield* redeem(state, browser)
        if (browser === undefined || Option.isNone(redeemed)) return yield* refusal(signInOver)
        return {
          sessionId: redeemed.value.session_id,
          account: yield* Effect.catchTag(
            account(search, proofsOf(state, browser)),
            "OidcRefused",
            ({ message }) => refusal(`The provider did not sign you in: ${message.slice(0, maxReason)}.`)
          )
        }
      })

      const finish = Effect.fnUntraced(function*(callback: OidcCallback) {
        const { account, sessionId } = yield* verify(callback)
        if (sessionId !== null) return yield* bind(account, sessionId)
        const member = yield* memberOf(account)
        if (Option.isNone(member)) return yield* refusal(unbound)
        yield* limits.giveBack(yield* attempt)
        const { userAgent } = callback
        return Option.some(yield* signIn.start({ memberId: member.value, beganWith: "oidc", userAgent }))
      })

      return OidcSignIn.of({
        isConfigured: Option.isSome(provider),

        start: Effect.fn("OidcSignIn.start")(function*(session, browser) {
          const { authorizeUrl } = yield* configured
          if (session !== undefined) yield* passwordCheck.requireRecentSignIn(session)
          yield* limits.take(yield* attempt)
          const state = randomBytes(32).toString("base64url")
          const url = yield* authorizeUrl(proofsOf(state, browser))
          const now = yield* Clock.currentTimeMillis
          yield* Effect.orDie(sql`
            DELETE FROM oidc_sign_ins WHERE created_at <= ${new Date(now - Duration.toMillis(oidcLifetime))}`)
          yield* Effect.orDie(sql`INSERT INTO oidc_sign_ins ${
            sql.insert({
              state_hash: sha256(state),
              browser_hash: sha256(Redacted.value(browser)),
              session_id: session?.sessionId ?? null,
              created_at: new Date(now)
            })
          }`)
          return url
        }),

        finish: Effect.fn("OidcSignIn.finish")((callback) =>
          Effect.tapErrorTag(finish(callback), "Unauthenticated", ({ message }) =>
            audit.refusal({
              action: "member.sign_in_refused",
              subject: null,
              details: { method: "oidc", reason: message }
            }))
        ),

        unbind: Effect.fn("OidcSignIn.unbind")(function*(memberId) {
          yield* configured
          yield* audit.change(
            accounts.all(sql`DELETE FROM oidc_accounts WHERE member_id = ${memberId} RETURNING issuer, subject`),
            (removed) => removed.map((details) => ({ action: "member.oidc_unbound", subject: memberId, details }))
          )
        })
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([AttemptLimits.layer, OidcProvider.layer, PasswordCheck.layer, SignIn.layer])
  )
}

/** Derived from the browser's secret, so that no proof is stored. */
const proofsOf = (state: string, browser: Redacted.Redacted): Proofs => {
  const derive = (name: string) =>
    createHmac("sha256", Redacted.value(browser)).update(`${name} ${state}`).digest("base64url")
  return { state, nonce: derive("nonce"), codeVerifier: Redacted.make(derive("code verifier")) }
}

const sha256 = (text: string): Buffer => hash("sha256", text, "buffer")

const started = rowsOf(Schema.Struct({ session_id: Schema.NullOr(Schema.String), created_at: Schema.Date }))
const bound = valuesOf(MemberId)
const accounts = rowsOf(Schema.Struct({ issuer: Schema.String, subject: Schema.String }))

const maxReason = 200

const sessionEnded = "The session that began this sign-in has ended. Sign in again."
const signInOver = "This sign-in is unknown, was used before, took longer than 10 minutes, or began in another browser."
const unbound = "No member is bound to this account. Ask an admin for a sign-in link, open it, and bind the account."

const refusal = (message: string) => Effect.fail(new Unauthenticated({ message }))
