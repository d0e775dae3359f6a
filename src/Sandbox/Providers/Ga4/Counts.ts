import type { Session, SessionEvent } from "./Sessions.ts"

export interface Counts {
  lastSessionId: number
  sessions: number
  engagedSessions: number
  sessionSeconds: number
  events: number
  pageViews: number
  firstVisits: number
  carts: number
  checkouts: number
  purchases: number
  revenue: number
  engagementSeconds: number
  readonly users: Set<number>
  readonly activeUsers: Set<number>
  readonly buyers: Set<number>
}

export const emptyCounts = (): Counts => ({
  lastSessionId: -1,
  sessions: 0,
  engagedSessions: 0,
  sessionSeconds: 0,
  events: 0,
  pageViews: 0,
  firstVisits: 0,
  carts: 0,
  checkouts: 0,
  purchases: 0,
  revenue: 0,
  engagementSeconds: 0,
  users: new Set(),
  activeUsers: new Set(),
  buyers: new Set()
})

export const addEvent = (counts: Counts, session: Session, event: SessionEvent): void => {
  if (counts.lastSessionId !== session.id) {
    counts.lastSessionId = session.id
    counts.sessions++
    counts.sessionSeconds += session.seconds
    if (session.isEngaged) counts.engagedSessions++
    counts.users.add(session.userId)
    if (session.isEngaged || session.isNew) counts.activeUsers.add(session.userId)
  }
  counts.events++
  switch (event.name) {
    case "page_view":
      counts.pageViews++
      break
    case "first_visit":
      counts.firstVisits++
      break
    case "user_engagement":
      counts.engagementSeconds += event.engagementSeconds
      break
    case "add_to_cart":
      counts.carts++
      break
    case "begin_checkout":
      counts.checkouts++
      break
    case "purchase":
      counts.purchases++
      counts.revenue += event.revenue
      counts.buyers.add(session.userId)
  }
}
