import type { Session, SessionEvent } from "./Sessions.ts"

/** What is counted for one row. */
export interface Counts {
  /** The session that was counted last. All hits of a session come in a row. */
  latest: number
  sessions: number
  engaged: number
  seconds: number
  hits: number
  views: number
  firstVisits: number
  carts: number
  checkouts: number
  purchases: number
  revenue: number
  engagement: number
  readonly users: Set<number>
  readonly active: Set<number>
  readonly buyers: Set<number>
}

export const emptyCounts = (): Counts => ({
  latest: -1,
  sessions: 0,
  engaged: 0,
  seconds: 0,
  hits: 0,
  views: 0,
  firstVisits: 0,
  carts: 0,
  checkouts: 0,
  purchases: 0,
  revenue: 0,
  engagement: 0,
  users: new Set(),
  active: new Set(),
  buyers: new Set()
})

export const addEvent = (tally: Counts, session: Session, hit: SessionEvent): void => {
  if (tally.latest !== session.id) {
    tally.latest = session.id
    tally.sessions++
    tally.seconds += session.seconds
    if (session.isEngaged) tally.engaged++
    tally.users.add(session.userId)
    if (session.isEngaged || session.isNew) tally.active.add(session.userId)
  }
  tally.hits++
  switch (hit.name) {
    case "page_view":
      tally.views++
      break
    case "first_visit":
      tally.firstVisits++
      break
    case "user_engagement":
      tally.engagement += hit.engagementSeconds
      break
    case "add_to_cart":
      tally.carts++
      break
    case "begin_checkout":
      tally.checkouts++
      break
    case "purchase":
      tally.purchases++
      tally.revenue += hit.revenue
      tally.buyers.add(session.userId)
  }
}
