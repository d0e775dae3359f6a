import type { Dimension } from "./Dimension.ts"
import { type Session, userOf } from "./Sessions.ts"
import { timeDimensions } from "./TimeDimensions.ts"

const notSet = "(not set)"

const landingPath = ({ landing }: Session): string =>
  landing === undefined ? notSet : landing === null ? "" : landing.path

const pageCategory = "Page / Screen"
const geographyCategory = "Geography"
const platformCategory = "Platform / Device"
const trafficCategory = "Traffic Source"
const attributionCategory = "Attribution"

export const dimensions: ReadonlyArray<Dimension> = [
  ...timeDimensions,
  {
    apiName: "country",
    uiName: "Country",
    category: geographyCategory,
    description: "The country of the user.",
    reports: "both",
    value: ({ userId }) => userOf(userId).country
  },
  {
    apiName: "countryId",
    uiName: "Country ID",
    category: geographyCategory,
    description: "The two-letter country code of the user.",
    reports: "both",
    value: ({ userId }) => userOf(userId).countryId
  },
  {
    apiName: "city",
    uiName: "City",
    category: geographyCategory,
    description: "The city of the user.",
    reports: "both",
    value: ({ userId }) => userOf(userId).city
  },
  {
    apiName: "deviceCategory",
    uiName: "Device category",
    category: platformCategory,
    description: "desktop, mobile or tablet.",
    reports: "both",
    value: ({ userId }) => userOf(userId).device
  },
  {
    apiName: "browser",
    uiName: "Browser",
    category: platformCategory,
    description: "The browser.",
    value: ({ userId }) => userOf(userId).browser
  },
  {
    apiName: "operatingSystem",
    uiName: "Operating system",
    category: platformCategory,
    description: "The operating system.",
    value: ({ userId }) => userOf(userId).system
  },
  {
    apiName: "platform",
    uiName: "Platform",
    category: platformCategory,
    description: "web.",
    reports: "both",
    value: () => "web"
  },
  {
    apiName: "streamName",
    uiName: "Stream name",
    category: platformCategory,
    description: "The data stream.",
    reports: "both",
    value: ({ stream }) => stream.name
  },
  {
    apiName: "streamId",
    uiName: "Stream ID",
    category: platformCategory,
    description: "The id of the data stream.",
    reports: "both",
    value: ({ stream }) => stream.id
  },
  {
    apiName: "sessionDefaultChannelGroup",
    uiName: "Session default channel group",
    category: trafficCategory,
    description: "The channel that led to the session.",
    value: ({ source }) => source.channel
  },
  {
    apiName: "sessionSource",
    uiName: "Session source",
    category: trafficCategory,
    description: "The source that led to the session.",
    value: ({ source }) => source.source
  },
  {
    apiName: "sessionMedium",
    uiName: "Session medium",
    category: trafficCategory,
    description: "The medium that led to the session.",
    value: ({ source }) => source.medium
  },
  {
    apiName: "sessionSourceMedium",
    uiName: "Session source / medium",
    category: trafficCategory,
    description: "Source and medium that led to the session.",
    value: ({ source }) => `${source.source} / ${source.medium}`
  },
  {
    apiName: "sessionCampaignName",
    uiName: "Session campaign",
    category: trafficCategory,
    description: "The campaign that led to the session.",
    value: ({ source }) => source.campaign
  },
  {
    apiName: "defaultChannelGroup",
    uiName: "Default channel group",
    category: attributionCategory,
    description: "The channel that the key event is attributed to.",
    value: ({ source }) => source.channel
  },
  {
    apiName: "landingPage",
    uiName: "Landing page",
    category: pageCategory,
    description: "The path of the session's first page.",
    value: landingPath
  },
  {
    apiName: "landingPagePlusQueryString",
    uiName: "Landing page + query string",
    category: pageCategory,
    description: "The path of the session's first page, with its query string.",
    value: (session) => session.landing ? `${landingPath(session)}${session.landingQuery}` : landingPath(session)
  },
  {
    apiName: "hostName",
    uiName: "Hostname",
    category: pageCategory,
    description: "The host of the page.",
    eventScoped: true,
    value: (_, { page }) => page === undefined ? notSet : new URL(page.url).hostname
  },
  {
    apiName: "pagePath",
    uiName: "Page path",
    category: pageCategory,
    description: "The path of the page.",
    eventScoped: true,
    value: (_, { page }) => page?.path ?? notSet
  },
  {
    apiName: "pageTitle",
    uiName: "Page title",
    category: pageCategory,
    description: "The title of the page.",
    eventScoped: true,
    value: (_, { page }) => page?.title ?? notSet
  },
  {
    apiName: "pageLocation",
    uiName: "Page location",
    category: pageCategory,
    description: "The URL of the page.",
    eventScoped: true,
    value: (_, { page }) => page?.url ?? notSet
  },
  {
    apiName: "unifiedScreenName",
    uiName: "Page title and screen name",
    category: pageCategory,
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
    value: (_, { name }) => name
  },
  {
    apiName: "newVsReturning",
    uiName: "New / returning",
    category: "User",
    description: "new for the first session of a user, otherwise returning.",
    value: ({ isNew }) => isNew ? "new" : "returning"
  },
  {
    apiName: "customEvent:topic",
    uiName: "Topic",
    category: "Custom",
    description: "The topic of the page.",
    custom: true,
    eventScoped: true,
    value: (_, { page }) => page?.topic ?? notSet
  },
  {
    apiName: "customUser:membership",
    uiName: "Membership",
    category: "Custom",
    description: "Whether the user is a member of the garden club.",
    custom: true,
    reports: "both",
    value: ({ userId }) => userOf(userId).member ? "member" : notSet
  }
]

export const dimensionByName = new Map(dimensions.map((dimension) => [dimension.apiName, dimension]))
