import { Context, Duration, Effect, Layer } from "effect"
import { hash } from "node:crypto"
import { RateLimited } from "../Api/Errors.ts"
import { networkOf, widerNetworksOf } from "../Domain/Request/Network.ts"
import { RequestCounts } from "./RequestCounts.ts"

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
      const counts = yield* RequestCounts

      const count = Effect.fnUntraced(function* count({ limit, subject }: Counter) {
        const { millisLeft, requests } = yield* Effect.orDie(counts.add(subject, limit.window))
        if (requests <= limit.attempts) return
        const seconds = Math.max(1, Math.ceil(millisLeft / 1000))
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
        giveBack: (attempt) => Effect.orDie(counts.giveBack(countersOf(attempt).map(({ subject }) => subject)))
      })
    })
  ).pipe(Layer.provide(RequestCounts.layer))
}

interface Counter {
  readonly limit: Limit
  readonly subject: string
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
    subject: hash("sha256", JSON.stringify([at, limit.name, ...parts]), "base64url")
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
