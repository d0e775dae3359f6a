import { Effect, Schema } from "effect"

const Count = Schema.Finite.pipe(Schema.withDecodingDefaultKey(Effect.succeed(0)))

export const ReportRow = Schema.Struct({
  keys: Schema.Array(Schema.String).pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  clicks: Count,
  impressions: Count,
  position: Count
})
export type ReportRow = typeof ReportRow.Type

export const ReportRows = Schema.Struct({
  rows: Schema.Array(ReportRow).pipe(Schema.withDecodingDefaultKey(Effect.succeed([])))
})

export const SiteEntry = Schema.Struct({
  siteUrl: Schema.String,
  permissionLevel: Schema.optionalKey(Schema.String)
})
export type SiteEntry = typeof SiteEntry.Type

export const SiteList = Schema.Struct({ siteEntry: Schema.optionalKey(Schema.Array(SiteEntry)) })
