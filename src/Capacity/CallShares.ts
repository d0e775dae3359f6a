import { Effect } from "effect"
import type { RateLimited } from "../Api/Errors.ts"
import { type CallBytes, smallBytes } from "./CallBytes.ts"
import type { MemberShare } from "./FairCapacity.ts"
import { tooManyBytes, tooManyCalls } from "./OverShare.ts"

export class CallShares {
  readonly bytes: CallBytes
  readonly #turn: MemberShare
  readonly #answer: MemberShare

  constructor(turn: MemberShare, bytes: CallBytes, answer: MemberShare) {
    this.bytes = bytes
    this.#turn = turn
    this.#answer = answer
  }

  takeTurn(): Effect.Effect<void, RateLimited> {
    if (this.#turn.tryTake(1)) return Effect.void
    return Effect.interruptible(Effect.mapError(this.#turn.take(1), tooManyCalls))
  }

  holdRequest(bytes: number): Effect.Effect<void, RateLimited> {
    return Effect.mapError(this.bytes.hold("request", bytes), tooManyBytes)
  }

  holdMessage(bytes: number): Effect.Effect<void, RateLimited> {
    return Effect.mapError(this.bytes.hold("message", bytes), tooManyBytes)
  }

  continueWithoutRoom(): void {
    this.bytes.cannotFail = true
  }

  holdResponse(characters: number): Effect.Effect<void, RateLimited> {
    if (characters <= smallBytes) return Effect.void
    const held = Effect.mapError(this.#answer.take(characters), tooManyBytes)
    return this.bytes.cannotFail ? Effect.ignore(held) : Effect.interruptible(held)
  }

  release(whenSent: (release: () => void) => void = (release) => release()): void {
    this.#turn.release()
    this.bytes.release()
    if (this.#answer.held > 0) whenSent(() => this.#answer.release())
  }
}
