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

type Row = readonly [
  apiName: string,
  uiName: string,
  description: string,
  type: Metric["type"],
  value: Metric["value"],
  more?: Pick<Metric, "expression" | "deprecatedName" | "inRealtime" | "blocked">
]

const inCategory = (category: string, rows: ReadonlyArray<Row>): ReadonlyArray<Metric> =>
  rows.map(([apiName, uiName, description, type, value, more]) => ({
    apiName,
    uiName,
    category,
    description,
    type,
    value,
    ...more
  }))

const counted = {
  activeUsers: ({ activeUsers }: Counts) => activeUsers.size,
  engagedSessions: ({ engagedSessions }: Counts) => engagedSessions,
  eventCount: ({ events }: Counts) => events,
  purchaseRevenue: ({ revenue }: Counts) => revenue,
  screenPageViews: ({ pageViews }: Counts) => pageViews,
  sessions: ({ sessions }: Counts) => sessions,
  transactions: ({ purchases }: Counts) => purchases
}

const rounded = ({ revenue }: Counts) => Math.round(revenue * 100) / 100

const per = (a: keyof typeof counted, b: keyof typeof counted) =>
  [(counts: Counts) => ratio(counted[a](counts), counted[b](counts)), { expression: `${a}/${b}` }] as const

const integer = "TYPE_INTEGER"
const float = "TYPE_FLOAT"
const seconds = "TYPE_SECONDS"
const currency = "TYPE_CURRENCY"

export const metrics: ReadonlyArray<Metric> = [
  ...inCategory("User", [
    [
      "activeUsers",
      "Active users",
      "Distinct users with an engaged session or their first session.",
      integer,
      counted.activeUsers,
      { inRealtime: true }
    ],
    ["totalUsers", "Total users", "Distinct users with any event.", integer, ({ users }) => users.size],
    ["newUsers", "New users", "Users with their first session.", integer, ({ firstVisits }) => firstVisits],
    [
      "userEngagementDuration",
      "User engagement",
      "Seconds during which a page was in the foreground.",
      seconds,
      ({ engagementSeconds }) => engagementSeconds
    ]
  ]),
  ...inCategory("Session", [
    ["sessions", "Sessions", "Started sessions.", integer, counted.sessions],
    [
      "engagedSessions",
      "Engaged sessions",
      "Sessions of more than ten seconds, with two page views or a key event.",
      integer,
      counted.engagedSessions
    ],
    [
      "engagementRate",
      "Engagement rate",
      "Engaged sessions divided by sessions.",
      float,
      ...per("engagedSessions", "sessions")
    ],
    [
      "bounceRate",
      "Bounce rate",
      "Sessions without engagement divided by sessions.",
      float,
      ({ engagedSessions, sessions }) => ratio(sessions - engagedSessions, sessions),
      { expression: "(sessions-engagedSessions)/sessions" }
    ],
    [
      "averageSessionDuration",
      "Average session duration",
      "Average length of sessions, in seconds.",
      seconds,
      ({ sessions, sessionSeconds }) => ratio(sessionSeconds, sessions)
    ],
    [
      "sessionsPerUser",
      "Sessions per user",
      "Sessions divided by active users.",
      float,
      ...per("sessions", "activeUsers")
    ]
  ]),
  ...inCategory("Page / Screen", [
    ["screenPageViews", "Views", "Page views.", integer, counted.screenPageViews, { inRealtime: true }],
    [
      "screenPageViewsPerSession",
      "Views per session",
      "Page views per session.",
      float,
      ...per("screenPageViews", "sessions")
    ],
    [
      "screenPageViewsPerUser",
      "Views per active user",
      "Page views per active user.",
      float,
      ...per("screenPageViews", "activeUsers")
    ]
  ]),
  ...inCategory("Event", [
    ["eventCount", "Event count", "Events.", integer, counted.eventCount, { inRealtime: true }],
    [
      "eventCountPerUser",
      "Event count per active user",
      "Events per active user.",
      float,
      ...per("eventCount", "activeUsers")
    ],
    ["eventsPerSession", "Events per session", "Events per session.", float, ...per("eventCount", "sessions")],
    ["keyEvents", "Key events", "Events marked as key events: purchases.", float, counted.transactions, {
      deprecatedName: "conversions",
      inRealtime: true
    }]
  ]),
  ...inCategory("Ecommerce", [
    ["ecommercePurchases", "Ecommerce purchases", "Purchases.", integer, counted.transactions],
    ["transactions", "Transactions", "Transactions with revenue.", integer, counted.transactions],
    ["totalPurchasers", "Total purchasers", "Distinct users with a purchase.", integer, ({ buyers }) => buyers.size],
    ["purchaseRevenue", "Purchase revenue", "Revenue from purchases.", currency, rounded],
    [
      "averagePurchaseRevenue",
      "Average purchase revenue",
      "Revenue per purchase.",
      currency,
      ...per("purchaseRevenue", "transactions")
    ],
    ["addToCarts", "Add to carts", "Times that a user added an item to the cart.", integer, ({ carts }) => carts],
    ["checkouts", "Checkouts", "Times that a user started a checkout.", integer, ({ checkouts }) => checkouts]
  ]),
  ...inCategory("Revenue", [
    ["totalRevenue", "Total revenue", "Revenue from purchases, subscriptions and advertising.", currency, rounded]
  ]),
  ...inCategory("Advertising", [
    ["advertiserAdCost", "Ads cost", "The cost of advertisements.", currency, () => 0, { blocked: "NO_COST_METRICS" }]
  ])
]

export const metricByName = byName(metrics)
