import { Schema } from "effect"
import { RunReportRequest } from "../../../Providers/Ga4/Generated.ts"
import { message } from "../Google/ProtoJson.ts"

export type ReportRequest = typeof RunReportRequest.Type
export type OrderBy = NonNullable<ReportRequest["orderBys"]>[number]
export type RequestedDimension = NonNullable<ReportRequest["dimensions"]>[number]
export type RequestedMetric = NonNullable<ReportRequest["metrics"]>[number]

export const BatchRunReportsRequest = message({ requests: Schema.Array(RunReportRequest) })
