import { Context, Duration, Effect } from "effect"
import { type CapacityExceeded, FairCapacity, type MemberShare } from "./FairCapacity.ts"

/** In bytes. Smaller bodies are not counted. */
export const smallBytes = 262_144

/** Bytes reserved at first for a response of unknown length. Most responses are compressed. */
export const arrivingBytes = 4_194_304

/**
 * A call takes these in order, and skips `arriving` for a response of known length. Each kind has its own budget, so
 * that calls never wait for each other in a circle. A `message` of an agent is held before its calls take their turns.
 */
export type ByteKind = "message" | "request" | "arriving" | "download" | "body"

const maxWait = Duration.seconds(10)

const maxWaiting = 1000

const sharesOf = (capacity: number) => new FairCapacity({ capacity, maxWaiting, maxWait })

/** The memory of large bodies, shared between members. */
export class SharedBytes {
  readonly #shares: Readonly<Record<ByteKind, FairCapacity>>

  /**
   * @param largest the longest response, in bytes. One member has room for one such response in each stage, two members
   * for one each.
   */
  constructor(largest: number) {
    this.#shares = {
      message: sharesOf(largest / 2),
      request: sharesOf(largest),
      arriving: sharesOf(largest),
      download: sharesOf(2 * largest),
      body: sharesOf(2 * largest)
    }
  }

  open(member: string): CallBytes {
    return new CallBytes(member, (kind) => this.#shares[kind].open(member))
  }
}

export class CallBytes {
  readonly member: string
  readonly #open: (kind: ByteKind) => MemberShare
  #shares: Map<ByteKind, MemberShare> | undefined
  #retained: Array<CallBytes> | undefined
  #users = 1
  /** Set once the provider may have carried out a write. The call then continues even without room. */
  cannotFail = false

  constructor(member: string, open: (kind: ByteKind) => MemberShare) {
    this.member = member
    this.#open = open
  }

  hold(kind: ByteKind, bytes: number): Effect.Effect<void, CapacityExceeded> {
    if (bytes <= smallBytes) return Effect.void
    const share = this.#shareOf(kind)
    return this.cannotFail ? Effect.ignore(share.take(bytes)) : share.take(bytes)
  }

  tryHold(kind: ByteKind, bytes: number): boolean {
    return bytes <= smallBytes || this.#shareOf(kind).tryTake(bytes)
  }

  #shareOf(kind: ByteKind): MemberShare {
    const shares = this.#shares ??= new Map()
    let share = shares.get(kind)
    if (share === undefined) shares.set(kind, share = this.#open(kind))
    return share
  }

  dropReceived(): void {
    this.#shares?.get("arriving")?.release()
    this.#shares?.get("download")?.release()
  }

  /** Keeps the memory of `other` reserved until this call is released too. */
  retain(other: CallBytes): void {
    other.#users++
    this.#retained = [...this.#retained ?? [], other]
  }

  /** Keeps the memory reserved until the effect ends, even if `release` comes first. */
  during<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.acquireUseRelease(
      Effect.sync(() => this.#users++),
      () => effect,
      () => Effect.sync(() => this.release())
    )
  }

  release(): void {
    if (--this.#users > 0) return
    for (const share of this.#shares?.values() ?? []) share.release()
    for (const other of this.#retained ?? []) other.release()
  }
}

export const CurrentBytes = Context.Reference<CallBytes | undefined>("openaccounts/Providers/CurrentBytes", {
  defaultValue: () => undefined
})

export const dropReceived = Effect.map(CurrentBytes, (call) => call?.dropReceived())

export const holdBytes = (kind: ByteKind, bytes: number): Effect.Effect<void, CapacityExceeded> =>
  bytes <= smallBytes ? Effect.void : Effect.flatMap(CurrentBytes, (call) => call?.hold(kind, bytes) ?? Effect.void)
