import type { Counts } from "./Counts.ts"

export interface Metric {
  readonly apiName: string
  readonly uiName: string
  readonly category: string
  readonly description: string
  readonly type: "TYPE_INTEGER" | "TYPE_FLOAT" | "TYPE_SECONDS" | "TYPE_CURRENCY"
  /** How it derives from other metrics. */
  readonly expression?: string
  readonly deprecated?: string
  /** Which reports have it; `core` where it is absent. */
  readonly reports?: "both"
  /** The account may not see it: it is always 0. */
  readonly blocked?: "NO_COST_METRICS"
  readonly value: (tally: Counts) => number
}

const ratio = (a: number, b: number) => b === 0 ? 0 : a / b

const people = "User"
const visits = "Session"
const screens = "Page / Screen"
const events = "Event"
const commerce = "Ecommerce"

export const metrics: ReadonlyArray<Metric> = [
  {
    apiName: "activeUsers",
    uiName: "Active users",
    category: people,
    type: "TYPE_INTEGER",
    description: "Distinct users with an engaged or a first session.",
    reports: "both",
    value: ({ active }) => active.size
  },
  {
    apiName: "totalUsers",
    uiName: "Total users",
    category: people,
    type: "TYPE_INTEGER",
    description: "Distinct users with any event.",
    value: ({ users }) => users.size
  },
  {
    apiName: "newUsers",
    uiName: "New users",
    category: people,
    type: "TYPE_INTEGER",
    description: "Users who came for the first time.",
    value: ({ firstVisits }) => firstVisits
  },
  {
    apiName: "sessions",
    uiName: "Sessions",
    category: visits,
    type: "TYPE_INTEGER",
    description: "Sessions that began.",
    value: ({ sessions }) => sessions
  },
  {
    apiName: "engagedSessions",
    uiName: "Engaged sessions",
    category: visits,
    type: "TYPE_INTEGER",
    description: "Sessions of more than ten seconds, with two page views or a key event.",
    value: ({ engaged }) => engaged
  },
  {
    apiName: "engagementRate",
    uiName: "Engagement rate",
    category: visits,
    type: "TYPE_FLOAT",
    description: "Engaged sessions as a fraction of sessions.",
    expression: "engagedSessions/sessions",
    value: ({ engaged, sessions }) => ratio(engaged, sessions)
  },
  {
    apiName: "bounceRate",
    uiName: "Bounce rate",
    category: visits,
    type: "TYPE_FLOAT",
    description: "Sessions that were not engaged, as a fraction of sessions.",
    expression: "(sessions-engagedSessions)/sessions",
    value: ({ engaged, sessions }) => ratio(sessions - engaged, sessions)
  },
  {
    apiName: "averageSessionDuration",
    uiName: "Average session duration",
    category: visits,
    type: "TYPE_SECONDS",
    description: "Average length of sessions, in seconds.",
    value: ({ seconds, sessions }) => ratio(seconds, sessions)
  },
  {
    apiName: "sessionsPerUser",
    uiName: "Sessions per user",
    category: visits,
    type: "TYPE_FLOAT",
    description: "Sessions divided by active users.",
    expression: "sessions/activeUsers",
    value: ({ active, sessions }) => ratio(sessions, active.size)
  },
  {
    apiName: "userEngagementDuration",
    uiName: "User engagement",
    category: people,
    type: "TYPE_SECONDS",
    description: "Seconds during which a page was in the foreground.",
    value: ({ engagement }) => engagement
  },
  {
    apiName: "screenPageViews",
    uiName: "Views",
    category: screens,
    type: "TYPE_INTEGER",
    description: "Pages seen.",
    reports: "both",
    value: ({ views }) => views
  },
  {
    apiName: "screenPageViewsPerSession",
    uiName: "Views per session",
    category: screens,
    type: "TYPE_FLOAT",
    description: "Pages seen for each session.",
    expression: "screenPageViews/sessions",
    value: ({ sessions, views }) => ratio(views, sessions)
  },
  {
    apiName: "screenPageViewsPerUser",
    uiName: "Views per active user",
    category: screens,
    type: "TYPE_FLOAT",
    description: "Pages seen for each active user.",
    expression: "screenPageViews/activeUsers",
    value: ({ active, views }) => ratio(views, active.size)
  },
  {
    apiName: "eventCount",
    uiName: "Event count",
    category: events,
    type: "TYPE_INTEGER",
    description: "Events.",
    reports: "both",
    value: ({ hits }) => hits
  },
  {
    apiName: "eventCountPerUser",
    uiName: "Event count per active user",
    category: events,
    type: "TYPE_FLOAT",
    description: "Events for each active user.",
    expression: "eventCount/activeUsers",
    value: ({ active, hits }) => ratio(hits, active.size)
  },
  {
    apiName: "eventsPerSession",
    uiName: "Events per session",
    category: events,
    type: "TYPE_FLOAT",
    description: "Events for each session.",
    expression: "eventCount/sessions",
    value: ({ hits, sessions }) => ratio(hits, sessions)
  },
  {
    apiName: "keyEvents",
    uiName: "Key events",
    category: events,
    type: "TYPE_FLOAT",
    description: "Events that are marked as key events: purchases.",
    deprecated: "conversions",
    reports: "both",
    value: ({ purchases }) => purchases
  },
  {
    apiName: "ecommercePurchases",
    uiName: "Ecommerce purchases",
    category: commerce,
    type: "TYPE_INTEGER",
    description: "Purchases.",
    value: ({ purchases }) => purchases
  },
  {
    apiName: "transactions",
    uiName: "Transactions",
    category: commerce,
    type: "TYPE_INTEGER",
    description: "Transactions with revenue.",
    value: ({ purchases }) => purchases
  },
  {
    apiName: "totalPurchasers",
    uiName: "Total purchasers",
    category: commerce,
    type: "TYPE_INTEGER",
    description: "Distinct users who bought.",
    value: ({ buyers }) => buyers.size
  },
  {
    apiName: "purchaseRevenue",
    uiName: "Purchase revenue",
    category: commerce,
    type: "TYPE_CURRENCY",
    description: "Revenue from purchases.",
    value: ({ revenue }) => Math.round(revenue * 100) / 100
  },
  {
    apiName: "totalRevenue",
    uiName: "Total revenue",
    category: "Revenue",
    type: "TYPE_CURRENCY",
    description: "Revenue from purchases, subscriptions and advertising.",
    value: ({ revenue }) => Math.round(revenue * 100) / 100
  },
  {
    apiName: "averagePurchaseRevenue",
    uiName: "Average purchase revenue",
    category: commerce,
    type: "TYPE_CURRENCY",
    description: "Revenue for each purchase.",
    expression: "purchaseRevenue/transactions",
    value: ({ purchases, revenue }) => ratio(revenue, purchases)
  },
  {
    apiName: "addToCarts",
    uiName: "Add to carts",
    category: commerce,
    type: "TYPE_INTEGER",
    description: "Times that something was put into the cart.",
    value: ({ carts }) => carts
  },
  {
    apiName: "checkouts",
    uiName: "Checkouts",
    category: commerce,
    type: "TYPE_INTEGER",
    description: "Times that a checkout began.",
    value: ({ checkouts }) => checkouts
  },
  {
    apiName: "advertiserAdCost",
    uiName: "Ads cost",
    category: "Advertising",
    type: "TYPE_CURRENCY",
    description: "What advertisements cost.",
    blocked: "NO_COST_METRICS",
    value: () => 0
  }
]

export const metricByName = new Map(
  metrics.flatMap((metric) => [
    [metric.apiName, metric] as const,
    ...(metric.deprecated === undefined ? [] : [[metric.deprecated, metric] as const])
  ])
)
