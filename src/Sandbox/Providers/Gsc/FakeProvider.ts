import { Effect, Schema, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { QueryBody } from "../../../Providers/Gsc/QueryBody.ts"
import { pacificTime } from "../../../Providers/Tooling/DateWindow.ts"
import { today } from "../../Data/Day.ts"
import type { FaultInjection } from "../../Faults/FaultInjection.ts"
import type { Identity } from "../../Identity/Identity.ts"
import { scopes } from "../../Identity/Scopes.ts"
import type { FakeProvider } from "../../Server/FakeProvider.ts"
import { contentType, googleApi, googleConnection, googleMethod } from "../Google/GoogleApi.ts"
import { GoogleError, invalidArgument, notFound } from "../Google/GoogleError.ts"
import { message, withoutInput } from "../Google/ProtoJson.ts"
import { inspect } from "./Inspection.ts"
import type { Row } from "./Row.ts"
import { runQuery } from "./SearchAnalytics.ts"
import { queryOf } from "./SearchAnalyticsRequest.ts"
import { getSitemap, listSitemaps } from "./Sitemaps.ts"
import { findSite, findVerifiedSite, sites } from "./Sites.ts"

const readScopes = [scopes.webmastersReadonly, scopes.webmasters]

const SitePath = Schema.Struct({ siteUrl: Schema.String })
const onSite = {
  ...withoutInput,
  scopes: readScopes,
  params: SitePath,
  resource: ({ params }: { readonly params: typeof SitePath.Type }) => params.siteUrl
}

const sitesList = googleMethod({
  method: "GET",
  path: "/webmasters/v3/sites",
  scopes: readScopes,
  ...withoutInput,
  respond: () =>
    Effect.succeed({ siteEntry: sites.map(({ permissionLevel, siteUrl }) => ({ siteUrl, permissionLevel })) })
})

const sitesGet = googleMethod({
  method: "GET",
  path: "/webmasters/v3/sites/{siteUrl}",
  ...onSite,
  respond: ({ params }) =>
    Effect.map(findSite(params.siteUrl), ({ permissionLevel, siteUrl }) => ({ siteUrl, permissionLevel }))
})

const searchAnalyticsQuery = googleMethod({
  method: "POST",
  path: "/webmasters/v3/sites/{siteUrl}/searchAnalytics/query",
  ...onSite,
  body: QueryBody,
  respond: Effect.fnUntraced(function*({ body, fields, params }) {
    const site = yield* findVerifiedSite(params.siteUrl)
    const { rows, ...rest } = yield* runQuery(site, yield* Effect.fromResult(queryOf(body)), yield* today(pacificTime))
    if (rows === undefined) return rest
    return fields === undefined && rows.length > rowsOfPart ? sentInParts(rows, rest) : { rows: [...rows], ...rest }
  })
})

const rowsOfPart = 500

/** Keeps few rows in memory at a time, and never the whole text of a large response. */
const sentInParts = (rows: Iterable<Row>, rest: object) =>
  Stream.fromIterable(rows, { chunkSize: rowsOfPart }).pipe(
    Stream.mapArray((part, index): readonly [string] => [
      `${index === 0 ? "{\"rows\":[" : ","}${JSON.stringify(part).slice(1, -1)}`
    ]),
    Stream.concat(Stream.succeed(`],${JSON.stringify(rest).slice(1)}`)),
    Stream.encodeText,
    (body) => HttpServerResponse.stream(body, { contentType })
  )

const sitemapsList = googleMethod({
  method: "GET",
  path: "/webmasters/v3/sites/{siteUrl}/sitemaps",
  ...onSite,
  query: Schema.Struct({ sitemapIndex: Schema.optionalKey(Schema.String) }),
  respond: Effect.fnUntraced(function*({ params, query }) {
    const site = yield* findVerifiedSite(params.siteUrl)
    return listSitemaps(site, yield* today(pacificTime), query.sitemapIndex)
  })
})

const sitemapsGet = googleMethod({
  method: "GET",
  path: "/webmasters/v3/sites/{siteUrl}/sitemaps/{feedpath}",
  ...onSite,
  params: Schema.Struct({ siteUrl: Schema.String, feedpath: Schema.String }),
  respond: Effect.fnUntraced(function*({ params }) {
    const site = yield* findVerifiedSite(params.siteUrl)
    return getSitemap(site, params.feedpath, yield* today(pacificTime)) ?? (yield* notFound)
  })
})

const notOwned = new GoogleError({
  code: 403,
  message: "You do not own this site, or the inspected URL is not part of this property."
})

const urlInspection = googleMethod({
  method: "POST",
  path: "/v1/urlInspection/index:inspect",
  scopes: readScopes,
  ...withoutInput,
  body: message({ inspectionUrl: Schema.String, siteUrl: Schema.String, languageCode: Schema.String }),
  resource: ({ body }) => body.siteUrl,
  respond: Effect.fnUntraced(function*({ body: { inspectionUrl, siteUrl } }) {
    if (siteUrl === undefined || inspectionUrl === undefined) {
      return yield* invalidArgument("Request contains an invalid argument.")
    }
    const site = yield* Effect.mapError(findVerifiedSite(siteUrl), () => notOwned)
    if (!site.contains(inspectionUrl)) return yield* notOwned
    return { inspectionResult: inspect(siteUrl, inspectionUrl, yield* today(pacificTime)) }
  })
})

export const fakeProvider: Effect.Effect<FakeProvider, never, Identity | FaultInjection> = Effect.map(
  googleApi("searchconsole.googleapis.com", [
    sitesList,
    sitesGet,
    searchAnalyticsQuery,
    sitemapsList,
    sitemapsGet,
    urlInspection
  ]),
  (app) => ({
    apps: { gsc: app },
    connection: googleConnection("gsc", "search console", scopes.webmastersReadonly)
  })
)
