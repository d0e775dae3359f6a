import { Effect, Schema } from "effect"
import { today } from "../../Data/Day.ts"
import type { FaultInjection } from "../../Faults/FaultInjection.ts"
import { googleConnection } from "../../Identity/Connections.ts"
import type { Identity } from "../../Identity/Identity.ts"
import { scopes } from "../../Identity/Scopes.ts"
import type { FakeProvider } from "../../Server/FakeProvider.ts"
import { googleApi, googleMethod } from "../Google/GoogleApi.ts"
import { GoogleError, invalidArgument, notFound } from "../Google/GoogleError.ts"
import { message, nothing, string } from "../Google/ProtoJson.ts"
import { inspect } from "./Inspection.ts"
import { pacific, report } from "./SearchAnalytics.ts"
import { SearchAnalyticsQueryRequest, toQuery } from "./SearchAnalyticsRequest.ts"
import { getSitemap, listSitemaps } from "./Sitemaps.ts"
import { findSite, findVerifiedSite, sites } from "./Sites.ts"

const accepted = [scopes.webmastersReadonly, scopes.webmasters]

const Site = Schema.Struct({ siteUrl: Schema.String })
const siteOf = ({ params }: { readonly params: typeof Site.Type }) => params.siteUrl

const listSites = googleMethod({
  method: "GET",
  path: "/webmasters/v3/sites",
  scopes: accepted,
  params: nothing,
  query: nothing,
  body: nothing,
  resource: () => undefined,
  answer: () =>
    Effect.succeed({ siteEntry: sites.map(({ permissionLevel, siteUrl }) => ({ siteUrl, permissionLevel })) })
})

const getSite = googleMethod({
  method: "GET",
  path: "/webmasters/v3/sites/{siteUrl}",
  scopes: accepted,
  params: Site,
  query: nothing,
  body: nothing,
  resource: siteOf,
  answer: ({ params }) =>
    Effect.map(findSite(params.siteUrl), ({ permissionLevel, siteUrl }) => ({ siteUrl, permissionLevel }))
})

const query = googleMethod({
  method: "POST",
  path: "/webmasters/v3/sites/{siteUrl}/searchAnalytics/query",
  scopes: accepted,
  params: Site,
  query: nothing,
  body: SearchAnalyticsQueryRequest,
  resource: siteOf,
  answer: Effect.fnUntraced(function*({ body, params }) {
    const property = yield* findVerifiedSite(params.siteUrl)
    return yield* report(property, yield* toQuery(body), yield* today(pacific))
  })
})

const sitemaps = googleMethod({
  method: "GET",
  path: "/webmasters/v3/sites/{siteUrl}/sitemaps",
  scopes: accepted,
  params: Site,
  query: Schema.Struct({ sitemapIndex: Schema.optionalKey(Schema.String) }),
  body: nothing,
  resource: siteOf,
  answer: Effect.fnUntraced(function*({ params, query }) {
    const property = yield* findVerifiedSite(params.siteUrl)
    return listSitemaps(property, yield* today(pacific), query.sitemapIndex)
  })
})

const sitemap = googleMethod({
  method: "GET",
  path: "/webmasters/v3/sites/{siteUrl}/sitemaps/{feedpath}",
  scopes: accepted,
  params: Schema.Struct({ siteUrl: Schema.String, feedpath: Schema.String }),
  query: nothing,
  body: nothing,
  resource: siteOf,
  answer: Effect.fnUntraced(function*({ params }) {
    const property = yield* findVerifiedSite(params.siteUrl)
    return getSitemap(property, params.feedpath, yield* today(pacific)) ?? (yield* notFound)
  })
})

const notYours = new GoogleError({
  code: 403,
  message: "You do not own this site, or the inspected URL is not part of this property."
})

const inspection = googleMethod({
  method: "POST",
  path: "/v1/urlInspection/index:inspect",
  scopes: accepted,
  params: nothing,
  query: nothing,
  body: message({ inspectionUrl: string, siteUrl: string, languageCode: string }),
  resource: ({ body }) => body.siteUrl,
  answer: Effect.fnUntraced(function*({ body: { inspectionUrl, siteUrl } }) {
    if (siteUrl === undefined || inspectionUrl === undefined) {
      return yield* invalidArgument("Request contains an invalid argument.")
    }
    const property = yield* Effect.mapError(findVerifiedSite(siteUrl), () => notYours)
    if (!property.has(inspectionUrl)) return yield* notYours
    return { inspectionResult: inspect(siteUrl, inspectionUrl, yield* today(pacific)) }
  })
})

/** Search console: two properties of the company's, and one that nobody has verified. */
export const gsc: Effect.Effect<FakeProvider, never, Identity | FaultInjection> = Effect.map(
  googleApi("searchconsole.googleapis.com", [listSites, getSite, query, sitemaps, sitemap, inspection]),
  (app) => ({
    apps: { gsc: app },
    connection: googleConnection("gsc", "search console", scopes.webmastersReadonly)
  })
)
