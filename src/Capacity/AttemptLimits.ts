import { Clock, Context, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import { RateLimited } from "../Api/Errors.ts"
import { networkOf, widerNetworksOf } from "../Domain/Request/Network.ts"
import { rowsOf } from "../Sql/Rows.ts"
import { sweepHourly } from "../Sql/Sweep.ts"

interface Limit {
  readonly name: string
  readonly attempts: number
  readonly window: Duration.Duration
}

const perAccountAndAddress: Limit = { name: "account and address", attempts: 5, window: Duration.minutes(1) }
const perAddress: Limit = { name: "address", attempts: 30, window: Duration.minutes(1) }
/** An office or a cloud of agents shares one address. */
const registrations: Limit = { ...perAddress, attempts: 60 }
const tokenRequests: Limit = { ...perAddress, attempts: 300 }
/** How many times as much a /56 has as one of its /64, and a /48 as one of its /56. */
const widerShare = 2
const perAccount: Limit = { name: "account", attempts: 100, window: Duration.hours(1) }

export interface Attempt {
  /** Separate counters, so that guesses within a session do not keep the member from signing in elsewhere. */
  readonly at: "sign-in" | "confirmation" | "new password" | AnonymousRequest
  /** `undefined` limits only the address. */
  readonly email: string | undefined
  /** The address of the request. Its IPv6 networks count too. */
  readonly source: string
  /** True if the member has signed in from this source before. Attempts from elsewhere then do not lock it out. */
  readonly isKnownSource: boolean
}

type AnonymousRequest = "link" | "passkey" | "oidc" | "client-document" | "registration" | "token"

export const requestsOf = (at: AnonymousRequest, address: string | null): Attempt => ({
  at,
  email: undefined,
  source: address ?? "",
  isKnownSource: true
})

export class AttemptLimits extends Context.Service<AttemptLimits, {
  readonly take: (attempt: Attempt) => Effect.Effect<void, RateLimited>
  readonly giveBack: (attempt: Attempt) => Effect.Effect<void>
}>()("openaccounts/Capacity/AttemptLimits") {
  static readonly layer = Layer.effect(
    AttemptLimits,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      yield* sweepHourly({
        lock: "signInAttempts",
        what: "attempts to sign in",
        batch: 1000,
        deleteBatch: (now) =>
          Effect.map(
            sql`
              DELETE FROM sign_in_attempts WHERE subject IN (
                SELECT subject FROM sign_in_attempts
                WHERE started_at <= ${new Date(now - Duration.toMillis(perAccount.window))} LIMIT 1000
              ) RETURNING subject`,
            ({ length }) => length
          )
      })

      const count = Effect.fnUntraced(function*({ limit, subject }: Counter) {
        const now = yield* Clock.currentTimeMillis
        const ended = new Date(now - Duration.toMillis(limit.window))
        const [row] = yield* counts.all(sql`
          INSERT INTO sign_in_attempts AS held (subject, started_at, attempts)
          VALUES (${subject}, ${new Date(now)}, 1)
          ON CONFLICT (subject) DO UPDATE SET
            attempts = CASE WHEN held.started_at > ${ended} THEN held.attempts + 1 ELSE 1 END,
            started_at = CASE WHEN held.started_at > ${ended} THEN held.started_at ELSE excluded.started_at END
          RETURNING started_at AS "startedAt", attempts`)
        if (row === undefined || row.attempts <= limit.attempts) return
        const seconds = Math.max(1, Math.ceil((row.startedAt.getTime() - ended.getTime()) / 1000))
        return yield* new RateLimited({
          message: `Too many ${
            limit.name === perAddress.name ? "requests" : "attempts to sign in"
          }. Try again in ${seconds} seconds.`,
          details: { limited_by: "sign_in", retry_after_seconds: seconds }
        })
      })

      return AttemptLimits.of({
        // In sequence: an attempt that one limit refuses does not count for the next.
        take: (attempt) => Effect.forEach(countersOf(attempt), count, { discard: true }),

        giveBack: (attempt) =>
          Effect.forEach(
            countersOf(attempt),
            ({ subject }) =>
              sql`UPDATE sign_in_attempts SET attempts = attempts - 1 WHERE subject = ${subject} AND attempts > 0`,
            {
              discard: true
            }
          ).pipe(Effect.orDie)
      })
    })
  )
}

const counts = rowsOf(Schema.Struct({ startedAt: Schema.Date, attempts: Schema.Int }))

interface Counter {
  readonly limit: Limit
  readonly subject: Buffer
}

const addressLimitOf = (at: Attempt["at"]): Limit => {
  switch (at) {
    case "registration":
      return registrations
    case "token":
      return tokenRequests
    default:
      return perAddress
  }
}

const countersOf = ({ at, email, isKnownSource, source }: Attempt): ReadonlyArray<Counter> => {
  const counter = (limit: Limit, ...parts: ReadonlyArray<string>): Counter => ({
    limit,
    subject: hash("sha256", JSON.stringify([at, limit.name, ...parts]), "buffer")
  })
  const network = networkOf(source)
  const limit = addressLimitOf(at)
  const wider = widerNetworksOf(source).map((each, index) =>
    counter({ ...limit, attempts: widerShare ** (index + 1) * limit.attempts }, each)
  )
  if (email === undefined) return [counter(limit, network), ...wider]
  const account = email.toLowerCase()
  return [
    counter(perAccountAndAddress, account, network),
    counter(limit, network),
    ...(isKnownSource ? [] : [...wider, counter(perAccount, account)])
  ]
}
