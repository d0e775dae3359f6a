import { minOf } from "../../Domain/Lists.ts"
import type { Metadata, PropertyQuota, ReportResponse } from "./Responses.ts"

export const dataWarnings = (reports: Reports): ReadonlyArray<string> => [
  ...new Set(reports.flatMap(({ metadata }) => metadata === undefined ? [] : reportWarnings(metadata)))
]

type Reports = ReadonlyArray<Pick<ReportResponse, "metadata">>

export const previousWarnings = (reports: Reports, previous: Reports): ReadonlyArray<string> => {
  const known = new Set(dataWarnings(reports))
  return dataWarnings(previous).filter((warning) => !known.has(warning)).map((warning) => `Previous window: ${warning}`)
}

const reportWarnings = (metadata: Metadata): ReadonlyArray<string> => [
  ...(metadata.subjectToThresholding === true
    ? ["Thresholding: rows with too few users are withheld."]
    : []),
  ...metadata.samplingMetadatas.map(({ samplesReadCount, samplingSpaceSize }) =>
    `Sampling: estimated from ${samplesReadCount} of ${samplingSpaceSize} events.`
  ),
  ...(metadata.dataLossFromOtherRow === true
    ? ["Cardinality: pages beyond the property's limit are rolled up into the page \"(other)\"."]
    : []),
  ...metadata.dataTruncationReasons.map(({ dataTruncationMessage, dataTruncationType }) =>
    `Truncation: ${dataTruncationMessage ?? dataTruncationType ?? "the provider gives no reason."}`
  ),
  ...(metadata.schemaRestrictionResponse?.activeMetricRestrictions ?? []).map(({ metricName }) =>
    `Restriction: the connection may not see ${metricName ?? "some metrics"}.`
  ),
  ...(metadata.emptyReason === undefined ? [] : [`Empty: ${metadata.emptyReason}`])
]

/**
 * 10 % of a standard property's quota. One project may use 35 % of the hourly tokens.
 * https://developers.google.com/analytics/devguides/reporting/data/v1/quotas
 */
const lowThreshold = { tokensPerDay: 20_000, tokensPerHour: 4000, tokensPerProjectPerHour: 1400 }

export const lowQuota = (reports: ReadonlyArray<Pick<ReportResponse, "propertyQuota">>) => {
  const left = (name: keyof PropertyQuota): number =>
    minOf(reports.map(({ propertyQuota }) => propertyQuota?.[name]?.remaining ?? Infinity))
  const day = left("tokensPerDay")
  const hour = left("tokensPerHour")
  const projectHour = left("tokensPerProjectPerHour")
  const isLow = day < lowThreshold.tokensPerDay || hour < lowThreshold.tokensPerHour ||
    projectHour < lowThreshold.tokensPerProjectPerHour
  return isLow ? { tokens_left_today: orNull(day), tokens_left_hour: orNull(Math.min(hour, projectHour)) } : undefined
}

const orNull = (tokens: number): number | null => Number.isFinite(tokens) ? tokens : null
