import { Effect, Schema } from "effect"

/** The provider omits zeros, empty texts and empty lists. */
const listOf = <A>(item: Schema.Codec<A, unknown>) =>
  Schema.Array(item).pipe(Schema.withDecodingDefaultKey(Effect.succeed([])))

const Text = Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed("")))
const Count = Schema.Finite.pipe(Schema.withDecodingDefaultKey(Effect.succeed(0)))
const CountFromString = Schema.FiniteFromString.pipe(Schema.withDecodingDefaultKey(Effect.succeed("0")))

export const Metadata = Schema.Struct({
  timeZone: Schema.optionalKey(Schema.String),
  subjectToThresholding: Schema.optionalKey(Schema.Boolean),
  dataLossFromOtherRow: Schema.optionalKey(Schema.Boolean),
  emptyReason: Schema.optionalKey(Schema.String),
  samplingMetadatas: listOf(Schema.Struct({
    samplesReadCount: CountFromString,
    samplingSpaceSize: CountFromString
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

const Quota = Schema.Struct({ remaining: Count })

export const PropertyQuota = Schema.Struct({
  tokensPerDay: Schema.optionalKey(Quota),
  tokensPerHour: Schema.optionalKey(Quota),
  tokensPerProjectPerHour: Schema.optionalKey(Quota)
})
export type PropertyQuota = typeof PropertyQuota.Type

export const ReportResponse = Schema.Struct({
  rows: listOf(Schema.Struct({
    dimensionValues: listOf(Schema.Struct({ value: Text })),
    metricValues: listOf(Schema.Struct({ value: CountFromString }))
  })),
  rowCount: Count,
  metadata: Schema.optionalKey(Metadata),
  propertyQuota: Schema.optionalKey(PropertyQuota)
})
export type ReportResponse = typeof ReportResponse.Type

export const BatchReportsResponse = Schema.Struct({ reports: listOf(ReportResponse) })

const AccountSummary = Schema.Struct({
  account: Text,
  displayName: Text,
  propertySummaries: listOf(Schema.Struct({
    property: Text,
    displayName: Text,
    propertyType: Text
  }))
})
export type AccountSummary = typeof AccountSummary.Type

export const AccountSummaries = Schema.Struct({
  accountSummaries: listOf(AccountSummary),
  nextPageToken: Text
})
