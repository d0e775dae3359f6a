import { Context, Duration, type Effect, Layer } from "effect"
import { RateLimited } from "../../../Api/Errors.ts"
import { FairCapacity } from "../../../Capacity/FairCapacity.ts"
import type { MemberId } from "../../../Domain/Ids.ts"
import { networkOf, widerNetworksOf } from "../../../Domain/Request/Network.ts"

type InTurn = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | RateLimited, R>

/**
 * Fair turns at passwords. Each hash takes 19 MiB, and one of libuv's four threads, which serve files and DNS too. So one
 * runs for members at known addresses and in sessions, and one for all others. Strangers cannot take the first.
 */
export class PasswordTurns extends Context.Service<PasswordTurns, {
  /** A turn for a look-up in the database, before which a member is not known. Addresses take turns. */
  readonly lookUp: (address: string) => InTurn
  /** Members take turns. */
  readonly ofMember: (memberId: MemberId) => InTurn
  /** Addresses take turns. All of an IPv6 /48 have one. */
  readonly ofStranger: (address: string) => InTurn
}>()("openaccounts/Features/SignIn/Passwords/PasswordTurns") {
  static readonly layer = Layer.sync(PasswordTurns, () => {
    const [lookUps, members, strangers] = [makeTurns(), makeTurns(), makeTurns()]
    return PasswordTurns.of({
      lookUp: (address) => lookUps(widestOf(address)),
      ofMember: members,
      ofStranger: (address) => strangers(widestOf(address))
    })
  })
}

const widestOf = (address: string): string => widerNetworksOf(address).at(-1) ?? networkOf(address)

const makeTurns = () => {
  const turns = new FairCapacity({ capacity: 1, maxWaiting: 10, maxWait: Duration.seconds(10), exceeded })
  return (of: string): InTurn => (effect) => turns.inTurn(of, effect)
}

const exceeded = () =>
  new RateLimited({
    message: "Too many people sign in at this moment. Try again in a few seconds.",
    details: { limited_by: "sign_in", retry_after_seconds: 10 }
  })
