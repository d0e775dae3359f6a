import { Context, Duration, Effect } from "effect"
import { FairShares, type Share, type ShareExceeded } from "../Domain/FairShares.ts"

/** Smaller bodies count as part of their call. */
export const smallBytes = 262_144

/** What is reserved for a response of unknown size at first. Most are compressed. */
export const arrivingBytes = 4_194_304

/**
 * A request body, the beginning of a response, the rest of it, the body to work on. Each has bytes of its own: a call that
 * holds a later one never waits for an earlier one, so no two calls wait for each other.
 */
export type ByteKind = "request" | "arriving" | "download" | "body"

const maxWait = Duration.seconds(10)

const maxWaiting = 1000

const sharesOf = (capacity: number) => new FairShares({ capacity, maxWaiting, maxWait })

/** The bytes of large bodies in memory, shared between members (contract section 18). */
export class SharedBytes {
  readonly #shares: Readonly<Record<ByteKind, FairShares>>

  /** @param largest the longest response, in bytes. A member alone can have one in each stage, two members one each. */
  constructor(largest: number) {
    this.#shares = {
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

/** The bytes of one call. */
export class CallBytes {
  readonly member: string
  readonly #open: (kind: ByteKind) => Share
  readonly #shares = new Map<ByteKind, Share>()
  readonly #borrowed: Array<CallBytes> = []
  #users = 1
  /** A write that the provider may have carried out goes on after the wait, with or without room. */
  cannotFail = false

  constructor(member: string, open: (kind: ByteKind) => Share) {
    this.member = member
    this.#open = open
  }

  /** Waits until the call may have so many bytes more in memory. */
  hold(kind: ByteKind, bytes: number): Effect.Effect<void, ShareExceeded> {
    if (bytes <= smallBytes) return Effect.void
    let share = this.#shares.get(kind)
    if (share === undefined) this.#shares.set(kind, share = this.#open(kind))
    return this.cannotFail ? Effect.ignore(share.take(bytes)) : share.take(bytes)
  }

  /** The body that was received has been read. */
  dropReceived(): void {
    this.#shares.get("arriving")?.release()
    this.#shares.get("download")?.release()
  }

  /** Keeps what another call holds until this one is released too. */
  borrow(other: CallBytes): void {
    other.#users++
    this.#borrowed.push(other)
  }

  release(): void {
    if (--this.#users > 0) return
    for (const share of this.#shares.values()) share.release()
    for (const other of this.#borrowed) other.release()
  }
}

/** Absent outside calls, as for tokens. */
export const CurrentBytes = Context.Reference<CallBytes | undefined>("openaccounts/Providers/CurrentBytes", {
  defaultValue: () => undefined
})

export const dropReceived = Effect.map(CurrentBytes, (call) => call?.dropReceived())

export const holdBytes = (kind: ByteKind, bytes: number): Effect.Effect<void, ShareExceeded> =>
  bytes <= smallBytes ? Effect.void : Effect.flatMap(CurrentBytes, (call) => call?.hold(kind, bytes) ?? Effect.void)
