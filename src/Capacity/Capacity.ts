import { Config, Context, Duration, Effect, Layer, Schema, type Scope } from "effect"
import { constants } from "node:buffer"
import { RateLimited } from "../Api/Errors.ts"
import { FairCapacity } from "./FairCapacity.ts"

/** Exported for `Outbound`, which does not import the API. */
export type { RateLimited }

/** Smaller bodies, in bytes, are not counted. */
export const smallBytes = 262_144

/** Bytes reserved at first for a response of unknown length. Most responses are compressed. */
export const arrivingBytes = 4_194_304

/**
 * A call takes these in order, and skips `arriving` for a response of known length. Each kind has its own budget, so
 * that calls never wait for each other in a circle. A `message` of an agent is held before its calls take their turns,
 * a `response` until it is sent. Beside calls, an `answer` of SQL or a `page` of a list is held while it is made.
 */
export type ByteKind = "message" | "request" | "arriving" | "download" | "body" | "answer" | "page" | "response"

type Shared = Readonly<Record<ByteKind | "call", FairCapacity>>

const PositiveInt = Schema.NumberFromString.check(Schema.isInt(), Schema.isGreaterThan(0))

export const maxCalls = Config.schema(PositiveInt, "MAX_CALLS_IN_FLIGHT").pipe(Config.withDefault(512))

const MaxBytes = Schema.FiniteFromString.check(
  Schema.isInt(),
  Schema.isBetween({ minimum: 1, maximum: constants.MAX_STRING_LENGTH })
)

/** The longest response of a provider in bytes, before and after decompression. */
export const maxResponseBytes = Config.schema(MaxBytes, "MAX_RESPONSE_BYTES").pipe(Config.withDefault(52_428_800))

const maxWait = Duration.seconds(10)
const retryAfterSeconds = 5

/** The refusal when a member's share is used up. */
export const overMemberShare = (message: string, seconds = retryAfterSeconds) =>
  new RateLimited({ message, details: { limited_by: "member_share", retry_after_seconds: seconds } })

const tooMuch = (what: string) => () =>
  overMemberShare(
    `The member has too ${what} under way. Retry in ${retryAfterSeconds} seconds with fewer calls or less data at once.`
  )

const ofBytes = (capacity: number) =>
  new FairCapacity({ capacity, maxWaiting: 1000, maxWait, exceeded: tooMuch("many large requests or responses") })

/** The calls under way and the memory of large bodies, shared between members. */
export class Capacity extends Context.Service<Capacity, {
  /** Reserves nothing yet. What the share reserves is held until the scope closes. */
  readonly open: (member: string, scope: Scope.Scope) => Share
}>()("openaccounts/Capacity/Capacity") {
  static readonly layer = Layer.effect(
    Capacity,
    Effect.map(
      Config.all({ calls: maxCalls, largest: maxResponseBytes }),
      (limits) => Capacity.of(makeCapacity(limits))
    )
  )
}

/**
 * @param largest the longest response, in bytes. One member has room for one such response in each stage, two members
 * for one each.
 */
export const makeCapacity = (
  { calls, largest }: { readonly calls: number; readonly largest: number }
): Capacity["Service"] => {
  const shared: Shared = {
    call: new FairCapacity({ capacity: calls, maxWaiting: calls, maxWait, exceeded: tooMuch("many calls") }),
    message: ofBytes(largest / 2),
    request: ofBytes(largest),
    arriving: ofBytes(largest),
    download: ofBytes(2 * largest),
    body: ofBytes(2 * largest),
    answer: ofBytes(2 * largest),
    page: ofBytes(2 * largest),
    response: ofBytes(2 * largest)
  }
  return { open: (member, scope) => new Share(shared, member, scope) }
}

/** What a member holds in one exchange, until the scope of the exchange closes. */
export class Share {
  readonly member: string
  readonly scope: Scope.Scope
  readonly #shared: Shared
  readonly #refuses: boolean

  constructor(shared: Shared, member: string, scope: Scope.Scope, refuses = true) {
    this.member = member
    this.#shared = shared
    this.scope = scope
    this.#refuses = refuses
  }

  get takeTurn(): Effect.Effect<void, RateLimited> {
    return this.#shared.call.reserve(this.member, 1, this.scope)
  }

  reserve(kind: ByteKind, bytes: number, scope = this.scope): Effect.Effect<void, RateLimited> {
    if (bytes <= smallBytes) return Effect.void
    const reserved = this.#shared[kind].reserve(this.member, bytes, scope)
    return this.#refuses ? reserved : Effect.ignore(reserved)
  }

  within(scope: Scope.Scope): Share {
    return new Share(this.#shared, this.member, scope, this.#refuses)
  }

  /** The share of a write. The provider may have carried it out, so after waiting for room it continues without. */
  get neverRefusing(): Share {
    return new Share(this.#shared, this.member, this.scope, false)
  }
}

/** The share of the current call. Without one, nothing is limited. */
export const CurrentShare = Context.Reference<Share | undefined>("openaccounts/Capacity/CurrentShare", {
  defaultValue: () => undefined
})

/** Holds the bytes until the call ends, or until `scope` closes. */
export const reserve = (kind: ByteKind, bytes: number, scope?: Scope.Scope): Effect.Effect<void, RateLimited> =>
  bytes <= smallBytes
    ? Effect.void
    : Effect.flatMap(CurrentShare, (share) => share?.reserve(kind, bytes, scope) ?? Effect.void)
