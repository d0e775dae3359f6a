import { Effect } from "effect"
import type { DimensionColumn } from "./Columns.ts"
import { addEvent, type Counts, emptyCounts } from "./Counts.ts"
import type { Session, SessionEvent } from "./Sessions.ts"

export interface Group {
  readonly values: ReadonlyArray<string>
  readonly counts: Counts
}

export type EventFilter = (session: Session, event: SessionEvent) => boolean

/** A large day has 130,000 sessions. */
const sessionsPerTurn = 2000

export const groupEvents = Effect.fnUntraced(function*(
  dimensions: ReadonlyArray<DimensionColumn>,
  sessions: Iterable<Session>,
  matches: EventFilter
): Effect.fn.Return<Iterable<Group>> {
  const groups = new Map<string, Group>()
  const sessionScoped = dimensions.every(({ eventScoped }) => !eventScoped)
  let count = 0
  for (const session of sessions) {
    if (++count % sessionsPerTurn === 0) yield* Effect.yieldNow
    let group: Group | undefined
    for (const event of session.events) {
      if (!matches(session, event)) continue
      if (group === undefined || !sessionScoped) {
        group = findGroup(groups, dimensions.map(({ value }) => value(session, event)))
      }
      addEvent(group.counts, session, event)
    }
  }
  return groups.values()
})

const findGroup = (groups: Map<string, Group>, values: ReadonlyArray<string>): Group => {
  const key = values.join("\n")
  const found = groups.get(key)
  if (found !== undefined) return found
  const group = { values, counts: emptyCounts() }
  groups.set(key, group)
  return group
}
