import { Effect, Schedule } from "effect"
import type { AuditAction } from "../Declared/Audit.ts"
import { CurrentAddress } from "../Domain/Request/CurrentAddress.ts"
import { networkOf } from "../Domain/Request/Network.ts"

const maxPerSource = 10
const maxOfAll = 100

export const limitRefusals = Effect.fnUntraced(function*(
  count: (action: AuditAction, refusals: number) => Effect.Effect<void>
) {
  let recorded = 0
  const bySource = new Map<string, number>()
  const counted = new Map<AuditAction, number>()

  const report = Effect.suspend(() => {
    const rest = [...counted]
    recorded = 0
    bySource.clear()
    counted.clear()
    return Effect.forEach(rest, ([action, refusals]) => count(action, refusals), { discard: true })
  })
  yield* Effect.addFinalizer(() => report)
  yield* Effect.forkScoped(Effect.schedule(report, Schedule.spaced("1 hour")))

  return (action: AuditAction, record: Effect.Effect<void>) =>
    Effect.flatMap(CurrentAddress, (address) => {
      const source = address === null ? "" : networkOf(address)
      const ofSource = bySource.get(source) ?? 0
      if (recorded >= maxOfAll || ofSource >= maxPerSource) {
        counted.set(action, (counted.get(action) ?? 0) + 1)
        return Effect.void
      }
      recorded++
      bySource.set(source, ofSource + 1)
      return record
    })
})
