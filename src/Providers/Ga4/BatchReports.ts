import { Effect, Schema } from "effect"
import { endpoint, type ProviderCalls } from "../Provider.ts"
import { RunReportRequest } from "./Generated.ts"
import { PropertyId } from "./Property.ts"

/** Up to five reports for the price and the delay of one request. For the tools; no endpoint of the service's own. */
export const propertiesBatchRunReports = endpoint({
  id: "properties.batchRunReports",
  description: "Several reports of one property.",
  method: "POST",
  origin: "ga4Data",
  path: "/v1beta/properties/{property}:batchRunReports",
  writes: false,
  scopes: [
    "https://www.googleapis.com/auth/analytics.readonly",
    "https://www.googleapis.com/auth/analytics"
  ],
  input: Schema.Struct({
    path: Schema.Struct({ property: PropertyId }),
    body: Schema.Struct({ requests: Schema.Array(RunReportRequest).check(Schema.isMaxLength(5)) })
  })
})

const listOf = <A>(item: Schema.Codec<A, unknown>) =>
  Schema.Array(item).pipe(Schema.withDecodingDefaultKey(Effect.succeed([])))

const whole = Schema.Finite.pipe(Schema.withDecodingDefaultKey(Effect.succeed(0)))

const number = Schema.FiniteFromString.pipe(Schema.withDecodingDefaultKey(Effect.succeed("0")))

/** What is left of a quota after the request. */
const Quota = Schema.Struct({ remaining: whole })

export const Metadata = Schema.Struct({
  timeZone: Schema.optionalKey(Schema.String),
  subjectToThresholding: Schema.optionalKey(Schema.Boolean),
  dataLossFromOtherRow: Schema.optionalKey(Schema.Boolean),
  emptyReason: Schema.optionalKey(Schema.String),
  samplingMetadatas: listOf(Schema.Struct({
    samplesReadCount: number,
    samplingSpaceSize: number
  })),
  dataTruncationReasons: listOf(Schema.Struct({
    dataTruncationType: Schema.optionalKey(Schema.String),
    dataTruncationMessage: Schema.optionalKey(Schema.String)
  })),
  schemaRestrictionResponse: Schema.optionalKey(Schema.Struct({
    activeMetricRestrictions: listOf(Schema.Struct({ metricName: Schema.optionalKey(Schema.String) }))
  }))
})
export type Metadata = typeof Metadata.Type

export const PropertyQuota = Schema.Struct({
  tokensPerDay: Schema.optionalKey(Quota),
  tokensPerHour: Schema.optionalKey(Quota),
  tokensPerProjectPerHour: Schema.optionalKey(Quota)
})
export type PropertyQuota = typeof PropertyQuota.Type

/** The provider leaves out what is zero or empty; every value is a string. */
export const ReportResponse = Schema.Struct({
  rows: listOf(Schema.Struct({
    dimensionValues: listOf(Schema.Struct({
      value: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed("")))
    })),
    metricValues: listOf(Schema.Struct({
      value: number
    }))
  })),
  rowCount: whole,
  metadata: Schema.optionalKey(Metadata),
  propertyQuota: Schema.optionalKey(PropertyQuota)
})
export type ReportResponse = typeof ReportResponse.Type

const Reports = Schema.Struct({ reports: listOf(ReportResponse) })

export const batchRunReports = (
  provider: ProviderCalls,
  property: string,
  requests: ReadonlyArray<typeof RunReportRequest.Type>
) =>
  provider.call(propertiesBatchRunReports, { path: { property }, body: { requests } }, Reports).pipe(
    Effect.map(({ reports }) => reports)
  )
