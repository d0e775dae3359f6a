import { DateTime } from "effect"
import { type Day, isoOf, weekdayOf } from "../../Data/Day.ts"
import { minutesAgoOf, type Session, type SessionEvent, userOf } from "./Sessions.ts"

export interface Dimension {
  readonly apiName: string
  readonly uiName: string
  readonly category: string
  readonly description: string
  readonly custom?: true
  /** Which reports have it; `core` where it is absent. */
  readonly reports?: "both" | "realtime"
  /** Whether it tells hits of a session apart. */
  readonly eventScoped?: true
  readonly value: (session: Session, hit: SessionEvent) => string
}

const notSet = "(not set)"

const two = (number: number) => String(number).padStart(2, "0")
const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

/** Weeks begin on Sunday; the first one of a year begins with the year. */
const weekOf = (day: Day): string => {
  const first = DateTime.toEpochMillis(DateTime.makeUnsafe(`${isoOf(day).slice(0, 4)}-01-01`)) / 86_400_000
  return two(Math.floor((day - first + weekdayOf(first)) / 7) + 1)
}

const landingPath = ({ landing }: Session): string =>
  landing === undefined ? notSet : landing === null ? "" : landing.path

const time = "Time"
const page = "Page / Screen"
const geography = "Geography"
const platform = "Platform / Device"
const traffic = "Traffic Source"
const userTraffic = "Attribution"

export const dimensions: ReadonlyArray<Dimension> = [
  {
    apiName: "minutesAgo",
    uiName: "Realtime minutes ago",
    category: time,
    description: "How many minutes ago it happened, 00 to 29.",
    reports: "realtime",
    value: (session) => two(minutesAgoOf(session) ?? 0)
  },
  {
    apiName: "date",
    uiName: "Date",
    category: time,
    description: "The day, as YYYYMMDD.",
    value: ({ date }) => date
  },
  {
    apiName: "dateHour",
    uiName: "Date + hour (YYYYMMDDHH)",
    category: time,
    description: "The day and the hour.",
    value: ({ date, hour }) => `${date}${two(hour)}`
  },
  {
    apiName: "year",
    uiName: "Year",
    category: time,
    description: "The year.",
    value: ({ date }) => date.slice(0, 4)
  },
  {
    apiName: "yearMonth",
    uiName: "Year month",
    category: time,
    description: "The year and the month, as YYYYMM.",
    value: ({ date }) => date.slice(0, 6)
  },
  {
    apiName: "month",
    uiName: "Month",
    category: time,
    description: "The month, 01 to 12.",
    value: ({ date }) => date.slice(4, 6)
  },
  {
    apiName: "week",
    uiName: "Week",
    category: time,
    description: "The week of the year, 01 to 53.",
    value: ({ day }) => weekOf(day)
  },
  {
    apiName: "day",
    uiName: "Day",
    category: time,
    description: "The day of the month, 01 to 31.",
    value: ({ date }) => date.slice(6)
  },
  {
    apiName: "dayOfWeek",
    uiName: "Day of week",
    category: time,
    description: "The day of the week, 0 (Sunday) to 6.",
    value: ({ day }) => String(weekdayOf(day))
  },
  {
    apiName: "dayOfWeekName",
    uiName: "Day of week name",
    category: time,
    description: "The day of the week in English.",
    value: ({ day }) => weekdays[weekdayOf(day)] ?? ""
  },
  {
    apiName: "hour",
    uiName: "Hour",
    category: time,
    description: "The hour, 00 to 23.",
    value: ({ hour }) => two(hour)
  },
  {
    apiName: "country",
    uiName: "Country",
    category: geography,
    description: "The country of the user.",
    reports: "both",
    value: ({ userId }) => userOf(userId).country
  },
  {
    apiName: "countryId",
    uiName: "Country ID",
    category: geography,
    description: "The country of the user, as two letters.",
    reports: "both",
    value: ({ userId }) => userOf(userId).countryId
  },
  {
    apiName: "city",
    uiName: "City",
    category: geography,
    description: "The city of the user.",
    reports: "both",
    value: ({ userId }) => userOf(userId).city
  },
  {
    apiName: "deviceCategory",
    uiName: "Device category",
    category: platform,
    description: "desktop, mobile or tablet.",
    reports: "both",
    value: ({ userId }) => userOf(userId).device
  },
  {
    apiName: "browser",
    uiName: "Browser",
    category: platform,
    description: "The browser.",
    value: ({ userId }) => userOf(userId).browser
  },
  {
    apiName: "operatingSystem",
    uiName: "Operating system",
    category: platform,
    description: "The operating system.",
    value: ({ userId }) => userOf(userId).system
  },
  {
    apiName: "platform",
    uiName: "Platform",
    category: platform,
    description: "web.",
    reports: "both",
    value: () => "web"
  },
  {
    apiName: "streamName",
    uiName: "Stream name",
    category: platform,
    description: "The data stream.",
    reports: "both",
    value: ({ stream }) => stream.name
  },
  {
    apiName: "streamId",
    uiName: "Stream ID",
    category: platform,
    description: "The data stream's number.",
    reports: "both",
    value: ({ stream }) => stream.id
  },
  {
    apiName: "sessionDefaultChannelGroup",
    uiName: "Session default channel group",
    category: traffic,
    description: "The channel that led to the session.",
    value: ({ source }) => source.channel
  },
  {
    apiName: "sessionSource",
    uiName: "Session source",
    category: traffic,
    description: "The source that led to the session.",
    value: ({ source }) => source.source
  },
  {
    apiName: "sessionMedium",
    uiName: "Session medium",
    category: traffic,
    description: "The medium that led to the session.",
    value: ({ source }) => source.medium
  },
  {
    apiName: "sessionSourceMedium",
    uiName: "Session source / medium",
    category: traffic,
    description: "Source and medium that led to the session.",
    value: ({ source }) => `${source.source} / ${source.medium}`
  },
  {
    apiName: "sessionCampaignName",
    uiName: "Session campaign",
    category: traffic,
    description: "The campaign that led to the session.",
    value: ({ source }) => source.campaign
  },
  {
    apiName: "defaultChannelGroup",
    uiName: "Default channel group",
    category: userTraffic,
    description: "The channel that the key event is attributed to.",
    value: ({ source }) => source.channel
  },
  {
    apiName: "landingPage",
    uiName: "Landing page",
    category: page,
    description: "The path of the session's first page.",
    value: landingPath
  },
  {
    apiName: "landingPagePlusQueryString",
    uiName: "Landing page + query string",
    category: page,
    description: "The path of the session's first page, with its query string.",
    value: (session) => session.landing ? `${landingPath(session)}${session.query}` : landingPath(session)
  },
  {
    apiName: "hostName",
    uiName: "Hostname",
    category: page,
    description: "The host of the page.",
    eventScoped: true,
    value: (_, { page }) => page === undefined ? notSet : new URL(page.url).hostname
  },
  {
    apiName: "pagePath",
    uiName: "Page path",
    category: page,
    description: "The path of the page.",
    eventScoped: true,
    value: (_, { page }) => page?.path ?? notSet
  },
  {
    apiName: "pageTitle",
    uiName: "Page title",
    category: page,
    description: "The title of the page.",
    eventScoped: true,
    value: (_, { page }) => page?.title ?? notSet
  },
  {
    apiName: "pageLocation",
    uiName: "Page location",
    category: page,
    description: "The URL of the page.",
    eventScoped: true,
    value: (_, { page }) => page?.url ?? notSet
  },
  {
    apiName: "unifiedScreenName",
    uiName: "Page title and screen name",
    category: page,
    description: "The title of the page.",
    reports: "both",
    eventScoped: true,
    value: (_, { page }) => page?.title ?? notSet
  },
  {
    apiName: "eventName",
    uiName: "Event name",
    category: "Event",
    description: "The name of the event.",
    reports: "both",
    eventScoped: true,
    value: (_, { name: event }) => event
  },
  {
    apiName: "newVsReturning",
    uiName: "New / returning",
    category: "User",
    description: "new where it is the user's first session, otherwise returning.",
    value: ({ isNew }) => isNew ? "new" : "returning"
  },
  {
    apiName: "customEvent:topic",
    uiName: "Topic",
    category: "Custom",
    description: "What the page is about.",
    custom: true,
    eventScoped: true,
    value: (_, { page }) => page?.topic ?? notSet
  },
  {
    apiName: "customUser:membership",
    uiName: "Membership",
    category: "Custom",
    description: "Whether the user belongs to the garden club.",
    custom: true,
    reports: "both",
    value: ({ userId }) => userOf(userId).member ? "member" : notSet
  }
]

export const dimensionByName = new Map(dimensions.map((dimension) => [dimension.apiName, dimension]))
