import { Effect, Result, Schema } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import type { FaultInjection } from "../../Faults/FaultInjection.ts"
import { googleConnection } from "../../Identity/Connections.ts"
import type { Identity } from "../../Identity/Identity.ts"
import { scopes } from "../../Identity/Scopes.ts"
import type { FakeProvider } from "../../Server/FakeProvider.ts"
import { googleApi, googleMethod } from "../Google/GoogleApi.ts"
import { GoogleError, invalidArgument } from "../Google/GoogleError.ts"
import { int32, message, nothing, repeated, string } from "../Google/ProtoJson.ts"
import { metadataOf } from "./Metadata.ts"
import { type Account, accounts, findProperty, type Property } from "./Properties.ts"
import { makeReport } from "./Report.ts"
import { RunRealtimeReportRequest, RunReportRequest } from "./ReportRequest.ts"
import { resolveDateRanges, resolveMinuteRanges } from "./SessionRanges.ts"

const dataScopes = [scopes.analyticsReadonly, scopes.analytics]
const adminScopes = [scopes.analyticsReadonly, scopes.analyticsEdit]

const defaultPageSize = 50
const maxPageSize = 200

const accountSummary = ({ id, name, properties }: Account) => ({
  name: `accountSummaries/${id}`,
  account: `accounts/${id}`,
  displayName: name,
  propertySummaries: properties.map(({ account, id, name, type }) => ({
    property: `properties/${id}`,
    displayName: name,
    propertyType: type,
    parent: `accounts/${account}`
  }))
})

/** A page token holds where the next page begins. */
const startOf = (pageToken: string): Effect.Effect<number, GoogleError> => {
  const start = Number(Result.getOrElse(Base64Url.decodeString(pageToken), () => ""))
  return pageToken === "" || (Number.isInteger(start) && start > 0)
    ? Effect.succeed(start)
    : Effect.fail(invalidArgument("The page token is invalid."))
}

const listAccountSummaries = googleMethod({
  method: "GET",
  path: "/v1beta/accountSummaries",
  scopes: adminScopes,
  params: nothing,
  query: message({ pageSize: int32, pageToken: string }),
  body: nothing,
  resource: () => undefined,
  answer: ({ query: { pageSize = 0, pageToken = "" } }) =>
    Effect.flatMap(startOf(pageToken), (start) => {
      if (pageSize < 0) return Effect.fail(invalidArgument("The page size must not be negative."))
      const end = start + (pageSize === 0 ? defaultPageSize : Math.min(pageSize, maxPageSize))
      return Effect.succeed({
        accountSummaries: accounts.slice(start, end).map(accountSummary),
        ...(end < accounts.length ? { nextPageToken: Base64Url.encode(String(end)) } : {})
      })
    })
})

const PropertyPath = Schema.Struct({ property: Schema.String })
const propertyIn = ({ params }: { readonly params: typeof PropertyPath.Type }) => params.property

/** What a small report costs. */
const spent = 3

const quota = (of: number) => ({ consumed: spent, remaining: of - spent })

const propertyQuota = {
  tokensPerDay: quota(200_000),
  tokensPerHour: quota(40_000),
  concurrentRequests: { consumed: 0, remaining: 10 },
  serverErrorsPerProjectPerHour: { consumed: 0, remaining: 10 },
  potentiallyThresholdedRequestsPerHour: { consumed: 0, remaining: 120 },
  tokensPerProjectPerHour: quota(14_000)
}

const noCohorts = new GoogleError({
  code: 501,
  status: "UNIMPLEMENTED",
  message: "The sandbox has no cohort reports."
})

const report = Effect.fnUntraced(function*(property: Property, request: RunReportRequest) {
  if (request.cohortSpec !== undefined) return yield* noCohorts
  if (request.property !== undefined && request.property !== `properties/${property.id}`) {
    return yield* invalidArgument(`The property ${request.property} is not the one of the URL.`)
  }
  const made = yield* makeReport("core", request, yield* resolveDateRanges(property, request))
  return {
    ...made,
    metadata: { currencyCode: request.currencyCode ?? property.currency, timeZone: property.timeZone },
    ...(request.returnPropertyQuota === true ? { propertyQuota } : {}),
    kind: "analyticsData#runReport"
  }
})

const runReport = googleMethod({
  method: "POST",
  path: "/v1beta/properties/{property}:runReport",
  scopes: dataScopes,
  params: PropertyPath,
  query: nothing,
  body: RunReportRequest,
  resource: propertyIn,
  answer: ({ body, params }) => Effect.flatMap(findProperty(params.property), (property) => report(property, body))
})

const maxBatch = 5

const batchRunReports = googleMethod({
  method: "POST",
  path: "/v1beta/properties/{property}:batchRunReports",
  scopes: dataScopes,
  params: PropertyPath,
  query: nothing,
  body: message({ requests: repeated(RunReportRequest) }),
  resource: propertyIn,
  answer: Effect.fnUntraced(function*({ body: { requests = [] }, params }) {
    const property = yield* findProperty(params.property)
    if (requests.length > maxBatch) {
      return yield* invalidArgument(`Batches are limited to ${maxBatch} requests; got ${requests.length}.`)
    }
    return {
      reports: yield* Effect.forEach(requests, (request) => report(property, request)),
      kind: "analyticsData#batchRunReports"
    }
  })
})

const runRealtimeReport = googleMethod({
  method: "POST",
  path: "/v1beta/properties/{property}:runRealtimeReport",
  scopes: dataScopes,
  params: PropertyPath,
  query: nothing,
  body: RunRealtimeReportRequest,
  resource: propertyIn,
  answer: Effect.fnUntraced(function*({ body, params }) {
    const property = yield* findProperty(params.property)
    const { rowCount, ...made } = yield* makeReport("realtime", body, yield* resolveMinuteRanges(property, body))
    return {
      // Where nobody is there, there are no headers either.
      ...(rowCount === undefined ? {} : { ...made, rowCount }),
      ...(body.returnPropertyQuota === true ? { propertyQuota } : {}),
      kind: "analyticsData#runRealtimeReport"
    }
  })
})

const getMetadata = googleMethod({
  method: "GET",
  path: "/v1beta/properties/{property}/metadata",
  scopes: dataScopes,
  params: PropertyPath,
  query: nothing,
  body: nothing,
  resource: propertyIn,
  answer: ({ params: { property } }) =>
    property === "0"
      ? Effect.succeed(metadataOf(property))
      : Effect.map(findProperty(property), ({ id }) => metadataOf(id))
})

/** Analytics: two accounts with three properties, of which one is a roll-up and one is empty. */
export const ga4: Effect.Effect<FakeProvider, never, Identity | FaultInjection> = Effect.gen(function*() {
  return {
    apps: {
      ga4Admin: yield* googleApi("analyticsadmin.googleapis.com", [listAccountSummaries]),
      ga4Data: yield* googleApi("analyticsdata.googleapis.com", [
        runReport,
        batchRunReports,
        runRealtimeReport,
        getMetadata
      ])
    },
    connection: googleConnection("ga4", "analytics", scopes.analyticsReadonly)
  }
})
