import { Effect, Result, Schema } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { RunRealtimeReportRequest, RunReportRequest } from "../../../Providers/Ga4/Generated.ts"
import type { FaultInjection } from "../../Faults/FaultInjection.ts"
import type { Identity } from "../../Identity/Identity.ts"
import { scopes } from "../../Identity/Scopes.ts"
import type { FakeProvider } from "../../Server/FakeProvider.ts"
import { googleApi, googleConnection, googleMethod } from "../Google/GoogleApi.ts"
import { type GoogleError, invalidArgument, notSimulated } from "../Google/GoogleError.ts"
import { message, withoutInput } from "../Google/ProtoJson.ts"
import { metadataOf } from "./Metadata.ts"
import { type Account, accounts, findProperty, type Property } from "./Properties.ts"
import { makeReport } from "./Report.ts"
import { BatchRunReportsRequest, type ReportRequest } from "./ReportRequest.ts"
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

const decodePageToken = (pageToken: string): Effect.Effect<number, GoogleError> => {
  const start = Number(Result.getOrElse(Base64Url.decodeString(pageToken), () => ""))
  return pageToken === "" || (Number.isInteger(start) && start > 0)
    ? Effect.succeed(start)
    : Effect.fail(invalidArgument("The page token is invalid."))
}

const listAccountSummaries = googleMethod({
  method: "GET",
  path: "/v1beta/accountSummaries",
  scopes: adminScopes,
  ...withoutInput,
  query: message({ pageSize: Schema.Int, pageToken: Schema.String }),
  respond: ({ query: { pageSize = 0, pageToken = "" } }) =>
    Effect.flatMap(decodePageToken(pageToken), (start) => {
      if (pageSize < 0) return Effect.fail(invalidArgument("The page size must not be negative."))
      const end = start + (pageSize === 0 ? defaultPageSize : Math.min(pageSize, maxPageSize))
      return Effect.succeed({
        accountSummaries: accounts.slice(start, end).map(accountSummary),
        ...(end < accounts.length ? { nextPageToken: Base64Url.encode(String(end)) } : {})
      })
    })
})

const PropertyPath = Schema.Struct({ property: Schema.String })
const onProperty = {
  ...withoutInput,
  scopes: dataScopes,
  params: PropertyPath,
  resource: ({ params }: { readonly params: typeof PropertyPath.Type }) => params.property
}

const consumed = 3

const quota = (limit: number) => ({ consumed, remaining: limit - consumed })

const propertyQuota = {
  tokensPerDay: quota(200_000),
  tokensPerHour: quota(40_000),
  concurrentRequests: { consumed: 0, remaining: 10 },
  serverErrorsPerProjectPerHour: { consumed: 0, remaining: 10 },
  potentiallyThresholdedRequestsPerHour: { consumed: 0, remaining: 120 },
  tokensPerProjectPerHour: quota(14_000)
}

const makeCoreReport = Effect.fnUntraced(function*(property: Property, request: ReportRequest) {
  if (request.cohortSpec !== undefined) return yield* notSimulated("cohort reports")
  if (request.property !== undefined && request.property !== `properties/${property.id}`) {
    return yield* invalidArgument(`The property ${request.property} is not the one of the URL.`)
  }
  const report = yield* makeReport("core", request, yield* resolveDateRanges(property, request))
  return {
    ...report,
    metadata: { currencyCode: request.currencyCode ?? property.currency, timeZone: property.timeZone },
    ...(request.returnPropertyQuota === true ? { propertyQuota } : {}),
    kind: "analyticsData#runReport"
  }
})

const runReport = googleMethod({
  method: "POST",
  path: "/v1beta/properties/{property}:runReport",
  ...onProperty,
  body: RunReportRequest,
  respond: ({ body, params }) =>
    Effect.flatMap(findProperty(params.property), (property) => makeCoreReport(property, body))
})

const batchRunReports = googleMethod({
  method: "POST",
  path: "/v1beta/properties/{property}:batchRunReports",
  ...onProperty,
  body: BatchRunReportsRequest,
  respond: Effect.fnUntraced(function*({ body: { requests = [] }, params }) {
    const property = yield* findProperty(params.property)
    return {
      reports: yield* Effect.forEach(requests, (request) => makeCoreReport(property, request)),
      kind: "analyticsData#batchRunReports"
    }
  })
})

const runRealtimeReport = googleMethod({
  method: "POST",
  path: "/v1beta/properties/{property}:runRealtimeReport",
  ...onProperty,
  body: RunRealtimeReportRequest,
  respond: Effect.fnUntraced(function*({ body, params }) {
    const property = yield* findProperty(params.property)
    const { rowCount, ...report } = yield* makeReport("realtime", body, yield* resolveMinuteRanges(property, body))
    return {
      ...(rowCount === undefined ? {} : { ...report, rowCount }),
      ...(body.returnPropertyQuota === true ? { propertyQuota } : {}),
      kind: "analyticsData#runRealtimeReport"
    }
  })
})

const getMetadata = googleMethod({
  method: "GET",
  path: "/v1beta/properties/{property}/metadata",
  ...onProperty,
  respond: ({ params: { property } }) =>
    property === "0"
      ? Effect.succeed(metadataOf(property))
      : Effect.map(findProperty(property), ({ id }) => metadataOf(id))
})

export const fakeProvider: Effect.Effect<FakeProvider, never, Identity | FaultInjection> = Effect.gen(function*() {
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
