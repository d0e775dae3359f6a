import { Effect, Option } from "effect"
import { type GoogleError, invalidArgument } from "../Google/GoogleError.ts"
import { dimensionByName } from "./Dimensions.ts"
import { evaluate, namesIn, parse } from "./Expression.ts"
import { metricByName } from "./Metrics.ts"
import type { AskedDimension, AskedMetric } from "./ReportRequest.ts"
import type { Hit, Session } from "./Sessions.ts"
import type { Tally } from "./Tally.ts"

export type ReportKind = "core" | "realtime"

export interface DimensionColumn {
  readonly name: string
  /** Whether it tells hits of a session apart. */
  readonly ofHit: boolean
  readonly value: (session: Session, hit: Hit) => string
}

export interface MetricColumn {
  readonly name: string
  readonly type: string
  readonly visible: boolean
  readonly value: (tally: Tally) => number
}

const schemas: Readonly<Record<ReportKind, string>> = { core: "api-schema", realtime: "realtime-api-schema" }

const unknownField = (kind: ReportKind, what: "dimension" | "metric", name: string, known: Iterable<string>) => {
  const near = [...known].find((other) => isNear(other.toLowerCase(), name.toLowerCase()))
  return invalidArgument(
    `${near === undefined ? "" : `Did you mean ${near}? `}Field ${name} is not a valid ${what}. ` +
      "For a list of valid dimensions and metrics, see " +
      `https://developers.google.com/analytics/devguides/reporting/data/v1/${schemas[kind]} `
  )
}

/** One letter more, less or other, or one name within the other. */
const isNear = (known: string, name: string): boolean =>
  name.length > 3 && (known.startsWith(name) || name.startsWith(known) || known === name)

/** A dimension of a report, by its name. */
export const dimensionColumn = (kind: ReportKind, name: string): Effect.Effect<DimensionColumn, GoogleError> => {
  const found = dimensionByName.get(name)
  if (found === undefined || !(kind === "core" ? found.in !== "realtime" : found.in !== undefined)) {
    return Effect.fail(unknownField(kind, "dimension", name, dimensionByName.keys()))
  }
  return Effect.succeed({ name, ofHit: found.ofHit === true, value: found.value })
}

/** A dimension as it is asked for: one of the catalogue, or made from others. */
export const askedDimension = (
  kind: ReportKind,
  { dimensionExpression, name }: AskedDimension
): Effect.Effect<DimensionColumn, GoogleError> => {
  if (dimensionExpression === undefined) return dimensionColumn(kind, name ?? "")
  const { concatenate, lowerCase, upperCase } = dimensionExpression
  const parts = concatenate?.dimensionNames ?? [lowerCase?.dimensionName ?? upperCase?.dimensionName ?? ""]
  return Effect.map(Effect.forEach(parts, (part) => dimensionColumn(kind, part)), (columns) => ({
    name: name ?? parts.join(concatenate?.delimiter ?? ""),
    ofHit: columns.some(({ ofHit }) => ofHit),
    value: (session, hit) => {
      const text = columns.map(({ value }) => value(session, hit)).join(concatenate?.delimiter ?? "")
      return lowerCase !== undefined ? text.toLowerCase() : upperCase !== undefined ? text.toUpperCase() : text
    }
  }))
}

/** A metric as it is asked for: one of the catalogue, or computed from others. */
export const askedMetric = (
  kind: ReportKind,
  { expression, invisible = false, name = "" }: AskedMetric
): Effect.Effect<MetricColumn, GoogleError> => {
  if (expression === undefined) {
    const metric = metricByName.get(name)
    return metric === undefined || (kind === "realtime" && metric.in === undefined)
      ? Effect.fail(unknownField(kind, "metric", name, metricByName.keys()))
      : Effect.succeed({ name, type: metric.type, visible: !invisible, value: metric.value })
  }
  const parsed = Option.getOrUndefined(parse(expression))
  if (parsed === undefined) return Effect.fail(invalidArgument(`Invalid metric expression: ${expression}`))
  return Effect.map(
    Effect.forEach(namesIn(parsed), (part) => askedMetric(kind, { name: part })),
    (parts) => {
      const values = new Map(parts.map((part) => [part.name, part.value]))
      return {
        name: name === "" ? expression : name,
        type: "TYPE_FLOAT",
        visible: !invisible,
        value: (tally) => evaluate(parsed, (part) => values.get(part)?.(tally) ?? 0)
      }
    }
  )
}
