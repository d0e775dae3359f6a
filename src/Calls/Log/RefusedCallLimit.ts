import { Effect, Schedule } from "effect"
import type { CallEntry } from "../../Domain/Calls/Call.ts"
import { CurrentAddress } from "../../Domain/Request/CurrentAddress.ts"
import { networkOf } from "../../Domain/Request/Network.ts"
import { Metrics } from "../../Observability/Metrics.ts"
import type { CallLog } from "./CallLog.ts"

/** Rows per minute and instance. */
const maxWholeOfPrincipal = 300
const maxOfSource = 300
const maxOfUnknown = 1000

export type Append = CallLog["Service"]["append"]

/**
 * Refused calls of a known principal are all logged, many of them without bodies, so that the caller finds each by its
 * `call_id`. Those of unknown callers are limited by the network of the address. Further ones are counted and reported
 * once a minute.
 */
export const limitRefusedCalls = Effect.fnUntraced(function* limitRefusedCalls(append: Append) {
  let callsByPrincipal = new Map<string, number>()
  let callsByNetwork = new Map<string, number>()
  let logged = 0
  let unlogged = 0
  let allUnlogged = 0

  const meter = yield* Metrics
  meter?.total({
    name: "openaccounts_refused_calls_unlogged_total",
    help: "Refused calls of unknown callers beyond the limits of the log."
  }, () => allUnlogged)

  const startMinute = Effect.suspend(() => {
    const count = unlogged
    callsByPrincipal = new Map()
    callsByNetwork = new Map()
    logged = unlogged = 0
    return count === 0 ? Effect.void : Effect.logWarning(
      `${count} refused calls within a minute were not logged: an instance logs ${maxOfSource} a minute from one ` +
        `source and ${maxOfUnknown} from all whose caller is unknown`
    )
  })
  yield* Effect.addFinalizer(() => startMinute)
  yield* Effect.forkScoped(Effect.schedule(startMinute, Schedule.spaced("1 minute")))

  const appendRefused = (call: CallEntry, address: string | null) => {
    const source = call.key_id ?? call.grant_id ?? call.member_id
    if (source !== null) return append(take(callsByPrincipal, source, maxWholeOfPrincipal) ? call : withoutBodies(call))
    const network = networkOf(address ?? "")
    if (logged < maxOfUnknown && take(callsByNetwork, network, maxOfSource)) {
      logged++
      return append({ ...call, omitsBodies: true })
    }
    unlogged++
    allUnlogged++
    return Effect.void
  }

  const limited: Append = (call) =>
    call.outcome === "error" && call.connection_id === null
      ? Effect.flatMap(CurrentAddress, (address) => appendRefused(call, address))
      : append(call)
  return limited
})

const withoutBodies = (call: CallEntry): CallEntry => ({ ...call, request: null, response: "null" })

const take = (counts: Map<string, number>, source: string, limit: number): boolean => {
  const count = counts.get(source) ?? 0
  if (count < limit) counts.set(source, count + 1)
  return count < limit
}
