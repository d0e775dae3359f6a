import { Schema } from "effect"
import { objectsIn } from "../../Domain/Table/TableSource.ts"
import { NonNegativeInt32, requestBody } from "../Google/Message.ts"
import { googleQuery } from "../Google/Query.ts"
import { endpoint, type RawEndpoint } from "../Provider.ts"
import { sameProperty } from "./FieldRules.ts"
import { RunRealtimeReportRequest, RunReportRequest } from "./Generated.ts"
import { listedAccounts } from "./ListedAccounts.ts"
import { PropertyId } from "./Schemas.ts"

const dataOrigin = { id: "ga4Data", setting: "GA4_DATA_BASE_URL", url: "https://analyticsdata.googleapis.com" }

const adminOrigin = { id: "ga4Admin", setting: "GA4_ADMIN_BASE_URL", url: "https://analyticsadmin.googleapis.com" }

const readonly = "https://www.googleapis.com/auth/analytics.readonly"

/** The only scope that both the Admin API and the Data API accept. No endpoint writes. */
export const ga4Scopes = { read: [readonly], write: [readonly] }

const adminScopes = [readonly, "https://www.googleapis.com/auth/analytics.edit"]

/** What the endpoints of the Data API have in common. */
const dataApi = {
  origin: dataOrigin,
  writes: false,
  limitsServerErrors: true,
  scopes: [readonly, "https://www.googleapis.com/auth/analytics"]
} as const

const path = Schema.Struct({ property: PropertyId }).annotate({ description: "URL placeholders." })

/** The id under which Google lists the metadata that all properties share. */
const anyProperty = "0"

const propertyOf = ({ property = "" }: { readonly property?: string }): ReadonlyArray<string> =>
  property === "" ? [] : [property]

const reportRows = (offset?: string | number) =>
  ({
    kind: "report",
    at: ["rows"],
    paging: { total: "rowCount", ...offset === undefined ? {} : { offset: Number(offset) } }
  }) as const

export const accountSummariesList = endpoint({
  id: "accountSummaries.list",
  description: "Lists accounts and properties the connection can read, page by page.",
  method: "GET",
  origin: adminOrigin,
  path: "/v1beta/accountSummaries",
  writes: false,
  scopes: adminScopes,
  input: Schema.Struct({
    query: googleQuery({
      pageSize: Schema.optionalKey(NonNegativeInt32.annotate({
        description: "Maximum number of accounts to return: 50 by default, at most 200."
      })),
      pageToken: Schema.optionalKey(Schema.String.annotate({
        description: "`nextPageToken` of the previous page. All other parameters must stay the same."
      }))
    })
  }),
  resources: { lists: listedAccounts },
  rows: () => ({ ...objectsIn("accountSummaries"), paging: { token: "nextPageToken" } })
})

export const propertiesRunReport = endpoint({
  id: "properties.runReport",
  description: "Report of dimensions and metrics for a date range.",
  method: "POST",
  ...dataApi,
  path: "/v1beta/properties/{property}:runReport",
  input: Schema.Struct({ path, query: googleQuery({}), body: requestBody(RunReportRequest) })
    .check(sameProperty),
  resources: { names: ({ body, path }) => [path.property, ...propertyOf(body)] },
  rows: ({ body }) => reportRows(body.offset ?? 0)
})

export const propertiesRunRealtimeReport = endpoint({
  id: "properties.runRealtimeReport",
  description: "Realtime report covering the last 30 minutes.",
  method: "POST",
  ...dataApi,
  path: "/v1beta/properties/{property}:runRealtimeReport",
  input: Schema.Struct({ path, query: googleQuery({}), body: requestBody(RunRealtimeReportRequest) }),
  resources: { names: ({ path }) => path.property },
  rows: () => reportRows()
})

export const propertiesGetMetadata = endpoint({
  id: "properties.getMetadata",
  description:
    "Dimensions and metrics available for a property, including custom ones. Property `0` returns those that all " +
    "properties share.",
  method: "GET",
  ...dataApi,
  path: "/v1beta/properties/{property}/metadata",
  input: Schema.Struct({ path, query: googleQuery({}) }),
  resources: { names: ({ path }) => path.property === anyProperty ? [] : path.property }
})

export const propertiesBatchRunReports = endpoint({
  id: "properties.batchRunReports",
  description: "Several reports of one property.",
  method: "POST",
  ...dataApi,
  path: "/v1beta/properties/{property}:batchRunReports",
  input: Schema.Struct({
    path: Schema.Struct({ property: PropertyId }),
    body: Schema.Struct({ requests: Schema.Array(RunReportRequest).check(Schema.isMaxLength(5)) })
  }),
  resources: { names: ({ body, path }) => [path.property, ...body.requests.flatMap(propertyOf)] }
})

export const ga4Endpoints: ReadonlyArray<RawEndpoint> = [
  accountSummariesList,
  propertiesRunReport,
  propertiesRunRealtimeReport,
  propertiesGetMetadata
]
