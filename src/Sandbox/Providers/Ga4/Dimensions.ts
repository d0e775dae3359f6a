import type { Page } from "../../Data/Company.ts"
import { byName, type Dimension, inCategory } from "./Dimension.ts"
import { type Session, type SessionEvent, type Source, userOf } from "./Sessions.ts"
import { timeDimensions } from "./TimeDimensions.ts"

const notSet = "(not set)"

const landingPath = ({ landing }: Session): string =>
  landing === undefined ? notSet : landing === null ? "" : landing.path

const ofUser = (field: "country" | "countryId" | "city" | "device" | "browser" | "system") => ({ userId }: Session) =>
  userOf(userId)[field]
const ofSource = (field: keyof Source) => ({ source }: Session) => source[field]
const ofPage = (of: (page: Page) => string) => (_: Session, { page }: SessionEvent) =>
  page === undefined ? notSet : of(page)

const both = { reports: "both" } as const
const eventScoped = { eventScoped: true } as const

export const dimensions: ReadonlyArray<Dimension> = [
  ...timeDimensions,
  ...inCategory("Geography", [
    ["country", "Country", "The country of the user.", ofUser("country"), both],
    ["countryId", "Country ID", "The two-letter country code of the user.", ofUser("countryId"), {
      ...both,
      deprecatedName: "countryIsoCode"
    }],
    ["city", "City", "The city of the user.", ofUser("city"), both]
  ]),
  ...inCategory("Platform / Device", [
    ["deviceCategory", "Device category", "desktop, mobile or tablet.", ofUser("device"), both],
    ["browser", "Browser", "The browser.", ofUser("browser")],
    ["operatingSystem", "Operating system", "The operating system.", ofUser("system")],
    ["platform", "Platform", "web.", () => "web", both],
    ["streamName", "Stream name", "The data stream.", ({ stream }) => stream.name, both],
    ["streamId", "Stream ID", "The id of the data stream.", ({ stream }) => stream.id, both]
  ]),
  ...inCategory("Traffic Source", [
    [
      "sessionDefaultChannelGroup",
      "Session default channel group",
      "The channel that led to the session.",
      ofSource("channel"),
      { deprecatedName: "sessionDefaultChannelGrouping" }
    ],
    ["sessionSource", "Session source", "The source that led to the session.", ofSource("source")],
    ["sessionMedium", "Session medium", "The medium that led to the session.", ofSource("medium")],
    [
      "sessionSourceMedium",
      "Session source / medium",
      "Source and medium that led to the session.",
      ({ source }) => `${source.source} / ${source.medium}`
    ],
    ["sessionCampaignName", "Session campaign", "The campaign that led to the session.", ofSource("campaign")]
  ]),
  ...inCategory("Attribution", [
    [
      "defaultChannelGroup",
      "Default channel group",
      "The channel that the key event is attributed to.",
      ofSource("channel"),
      { deprecatedName: "defaultChannelGrouping" }
    ]
  ]),
  ...inCategory("Page / Screen", [
    ["landingPage", "Landing page", "The path of the session's first page.", landingPath],
    [
      "landingPagePlusQueryString",
      "Landing page + query string",
      "The path of the session's first page, with its query string.",
      (session) => session.landing ? `${landingPath(session)}${session.landingQuery}` : landingPath(session)
    ],
    ["hostName", "Hostname", "The host of the page.", ofPage(({ url }) => new URL(url).hostname), eventScoped],
    ["pagePath", "Page path", "The path of the page.", ofPage(({ path }) => path), eventScoped],
    ["pageTitle", "Page title", "The title of the page.", ofPage(({ title }) => title), eventScoped],
    ["pageLocation", "Page location", "The URL of the page.", ofPage(({ url }) => url), eventScoped],
    ["unifiedScreenName", "Page title and screen name", "The title of the page.", ofPage(({ title }) => title), {
      ...both,
      ...eventScoped
    }]
  ]),
  ...inCategory("Event", [
    ["eventName", "Event name", "The name of the event.", (_, { name }) => name, { ...both, ...eventScoped }]
  ]),
  ...inCategory("User", [
    [
      "newVsReturning",
      "New / returning",
      "new for the first session of a user, otherwise returning.",
      ({ isNew }) => isNew ? "new" : "returning"
    ]
  ]),
  ...inCategory("Custom", [
    ["customEvent:topic", "Topic", "The topic of the page.", ofPage(({ topic }) => topic), {
      custom: true,
      ...eventScoped
    }],
    [
      "customUser:membership",
      "Membership",
      "Whether the user is a member of the garden club.",
      ({ userId }) => userOf(userId).member ? "member" : notSet,
      { custom: true, ...both }
    ]
  ])
]

export const dimensionByName = byName(dimensions)
