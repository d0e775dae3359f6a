import { Effect } from "effect"
import { type GoogleError, invalidArgument, notSimulated } from "../Google/GoogleError.ts"
import type { Dimension } from "./Dimension.ts"
import { dimensionByName } from "./Dimensions.ts"
import { type Metric, metricByName } from "./Metrics.ts"
import { otherDimensions, otherMetrics, otherRealtimeDimensions } from "./OtherFields.ts"
import type { RequestedDimension, RequestedMetric } from "./ReportRequest.ts"

export type ReportKind = "core" | "realtime"

/** The name is as it was requested, which may be a deprecated one. */
export interface DimensionColumn extends Pick<Dimension, "eventScoped" | "value"> {
  readonly name: string
}

export interface MetricColumn extends Pick<Metric, "type" | "value"> {
  readonly name: string
  readonly visible: boolean
}

const schemaPages: Readonly<Record<ReportKind, string>> = { core: "api-schema", realtime: "realtime-api-schema" }

const otherFields = {
  core: { dimension: otherDimensions, metric: otherMetrics },
  realtime: { dimension: otherRealtimeDimensions, metric: new Set<string>() }
}

const unknownField = (kind: ReportKind, what: "dimension" | "metric", name: string, known: Iterable<string>) => {
  if (otherFields[kind][what].has(name)) return notSimulated(`reports of the ${what} ${name}`)
  const near = [...known].find((other) => isPrefixOfOther(other.toLowerCase(), name.toLowerCase()))
  return invalidArgument(
    `${near === undefined ? "" : `Did you mean ${near}? `}Field ${name} is not a valid ${what}. ` +
      "For a list of valid dimensions and metrics, see " +
      `https://developers.google.com/analytics/devguides/reporting/data/v1/${schemaPages[kind]} `
  )
}

const isPrefixOfOther = (known: string, name: string): boolean =>
  name.length > 3 && (known.startsWith(name) || name.startsWith(known))

export const findDimension = (kind: ReportKind, name: string): Effect.Effect<DimensionColumn, GoogleError> => {
  const found = dimensionByName.get(name)
  if (found === undefined || !(kind === "core" ? found.reports !== "realtime" : found.reports !== undefined)) {
    return Effect.fail(unknownField(kind, "dimension", name, dimensionByName.keys()))
  }
  return Effect.succeed({ ...found, name })
}

export const resolveDimension = (
  kind: ReportKind,
  { dimensionExpression, name }: RequestedDimension
): Effect.Effect<DimensionColumn, GoogleError> =>
  dimensionExpression === undefined
    ? findDimension(kind, name ?? "")
    : Effect.fail(notSimulated("dimension expressions"))

export const resolveMetric = (
  kind: ReportKind,
  { expression, invisible = false, name = "" }: RequestedMetric
): Effect.Effect<MetricColumn, GoogleError> => {
  if (expression !== undefined) return Effect.fail(notSimulated("metric expressions"))
  const metric = metricByName.get(name)
  return metric === undefined || (kind === "realtime" && metric.inRealtime !== true)
    ? Effect.fail(unknownField(kind, "metric", name, metricByName.keys()))
    : Effect.succeed({ ...metric, name, visible: !invisible })
}
