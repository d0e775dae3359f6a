import type { Counts } from "./Counts.ts"
import { byName } from "./Dimension.ts"

export interface Metric {
  readonly apiName: string
  readonly uiName: string
  readonly category: string
  readonly description: string
  readonly type: "TYPE_INTEGER" | "TYPE_FLOAT" | "TYPE_SECONDS" | "TYPE_CURRENCY"
  readonly expression?: string
  readonly deprecatedName?: string
  readonly inRealtime?: true
  readonly blocked?: "NO_COST_METRICS"
  readonly value: (counts: Counts) => number
}

const ratio = (a: number, b: number) => b === 0 ? 0 : a / b

const userCategory = "User"
const sessionCategory = "Session"
const pageCategory = "Page / Screen"
const eventCategory = "Event"
const ecommerceCategory = "Ecommerce"

export const metrics: ReadonlyArray<Metric> = [
  {
    apiName: "activeUsers",
    uiName: "Active users",
    category: userCategory,
    type: "TYPE_INTEGER",
    description: "Distinct users with an engaged session or their first session.",
    inRealtime: true,
    value: ({ activeUsers }) => activeUsers.size
  },
  {
    apiName: "totalUsers",
    uiName: "Total users",
    category: userCategory,
    type: "TYPE_INTEGER",
    description: "Distinct users with any event.",
    value: ({ users }) => users.size
  },
  {
    apiName: "newUsers",
    uiName: "New users",
    category: userCategory,
    type: "TYPE_INTEGER",
    description: "Users with their first session.",
    value: ({ firstVisits }) => firstVisits
  },
  {
    apiName: "sessions",
    uiName: "Sessions",
    category: sessionCategory,
    type: "TYPE_INTEGER",
    description: "Started sessions.",
    value: ({ sessions }) => sessions
  },
  {
    apiName: "engagedSessions",
    uiName: "Engaged sessions",
    category: sessionCategory,
    type: "TYPE_INTEGER",
    description: "Sessions of more than ten seconds, with two page views or a key event.",
    value: ({ engagedSessions }) => engagedSessions
  },
  {
    apiName: "engagementRate",
    uiName: "Engagement rate",
    category: sessionCategory,
    type: "TYPE_FLOAT",
    description: "Engaged sessions divided by sessions.",
    expression: "engagedSessions/sessions",
    value: ({ engagedSessions, sessions }) => ratio(engagedSessions, sessions)
  },
  {
    apiName: "bounceRate",
    uiName: "Bounce rate",
    category: sessionCategory,
    type: "TYPE_FLOAT",
    description: "Sessions without engagement divided by sessions.",
    expression: "(sessions-engagedSessions)/sessions",
    value: ({ engagedSessions, sessions }) => ratio(sessions - engagedSessions, sessions)
  },
  {
    apiName: "averageSessionDuration",
    uiName: "Average session duration",
    category: sessionCategory,
    type: "TYPE_SECONDS",
    description: "Average length of sessions, in seconds.",
    value: ({ sessions, sessionSeconds }) => ratio(sessionSeconds, sessions)
  },
  {
    apiName: "sessionsPerUser",
    uiName: "Sessions per user",
    category: sessionCategory,
    type: "TYPE_FLOAT",
    description: "Sessions divided by active users.",
    expression: "sessions/activeUsers",
    value: ({ activeUsers, sessions }) => ratio(sessions, activeUsers.size)
  },
  {
    apiName: "userEngagementDuration",
    uiName: "User engagement",
    category: userCategory,
    type: "TYPE_SECONDS",
    description: "Seconds during which a page was in the foreground.",
    value: ({ engagementSeconds }) => engagementSeconds
  },
  {
    apiName: "screenPageViews",
    uiName: "Views",
    category: pageCategory,
    type: "TYPE_INTEGER",
    description: "Page views.",
    inRealtime: true,
    value: ({ pageViews }) => pageViews
  },
  {
    apiName: "screenPageViewsPerSession",
    uiName: "Views per session",
    category: pageCategory,
    type: "TYPE_FLOAT",
    description: "Page views per session.",
    expression: "screenPageViews/sessions",
    value: ({ pageViews, sessions }) => ratio(pageViews, sessions)
  },
  {
    apiName: "screenPageViewsPerUser",
    uiName: "Views per active user",
    category: pageCategory,
    type: "TYPE_FLOAT",
    description: "Page views per active user.",
    expression: "screenPageViews/activeUsers",
    value: ({ activeUsers, pageViews }) => ratio(pageViews, activeUsers.size)
  },
  {
    apiName: "eventCount",
    uiName: "Event count",
    category: eventCategory,
    type: "TYPE_INTEGER",
    description: "Events.",
    inRealtime: true,
    value: ({ events }) => events
  },
  {
    apiName: "eventCountPerUser",
    uiName: "Event count per active user",
    category: eventCategory,
    type: "TYPE_FLOAT",
    description: "Events per active user.",
    expression: "eventCount/activeUsers",
    value: ({ activeUsers, events }) => ratio(events, activeUsers.size)
  },
  {
    apiName: "eventsPerSession",
    uiName: "Events per session",
    category: eventCategory,
    type: "TYPE_FLOAT",
    description: "Events per session.",
    expression: "eventCount/sessions",
    value: ({ events, sessions }) => ratio(events, sessions)
  },
  {
    apiName: "keyEvents",
    uiName: "Key events",
    category: eventCategory,
    type: "TYPE_FLOAT",
    description: "Events marked as key events: purchases.",
    deprecatedName: "conversions",
    inRealtime: true,
    value: ({ purchases }) => purchases
  },
  {
    apiName: "ecommercePurchases",
    uiName: "Ecommerce purchases",
    category: ecommerceCategory,
    type: "TYPE_INTEGER",
    description: "Purchases.",
    value: ({ purchases }) => purchases
  },
  {
    apiName: "transactions",
    uiName: "Transactions",
    category: ecommerceCategory,
    type: "TYPE_INTEGER",
    description: "Transactions with revenue.",
    value: ({ purchases }) => purchases
  },
  {
    apiName: "totalPurchasers",
    uiName: "Total purchasers",
    category: ecommerceCategory,
    type: "TYPE_INTEGER",
    description: "Distinct users with a purchase.",
    value: ({ buyers }) => buyers.size
  },
  {
    apiName: "purchaseRevenue",
    uiName: "Purchase revenue",
    category: ecommerceCategory,
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
    category: ecommerceCategory,
    type: "TYPE_CURRENCY",
    description: "Revenue per purchase.",
    expression: "purchaseRevenue/transactions",
    value: ({ purchases, revenue }) => ratio(revenue, purchases)
  },
  {
    apiName: "addToCarts",
    uiName: "Add to carts",
    category: ecommerceCategory,
    type: "TYPE_INTEGER",
    description: "Times that a user added an item to the cart.",
    value: ({ carts }) => carts
  },
  {
    apiName: "checkouts",
    uiName: "Checkouts",
    category: ecommerceCategory,
    type: "TYPE_INTEGER",
    description: "Times that a user started a checkout.",
    value: ({ checkouts }) => checkouts
  },
  {
    apiName: "advertiserAdCost",
    uiName: "Ads cost",
    category: "Advertising",
    type: "TYPE_CURRENCY",
    description: "The cost of advertisements.",
    blocked: "NO_COST_METRICS",
    value: () => 0
  }
]

export const metricByName = byName(metrics)
