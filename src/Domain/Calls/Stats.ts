import { Schema } from "effect"
import type { GrantId, KeyId } from "../Ids.ts"
import { Instant, Lookup, Timestamp } from "../Validation/Fields.ts"

export const StatsDimension = Schema.Literals([
  "provider",
  "target",
  "client",
  "connection",
  "key",
  "grant",
  "error_code"
])
export type StatsDimension = typeof StatsDimension.Type

export const maxStatsDays = 90

export const maxStatsBuckets = 1000

export const StatsQuery = {
  since: Instant.pipe(
    Schema.annotateEncoded({ description: "The first time, inclusive; by default 7 days ago." }),
    Schema.optionalKey
  ),
  until: Instant.pipe(
    Schema.annotateEncoded({
      description: `The last time, exclusive; by default now. At most ${maxStatsDays} days after \`since\`.`
    }),
    Schema.optionalKey
  ),
  bucket: Schema.Literals(["hour", "day"]).annotate({ description: "In UTC.", default: "day" }).pipe(
    Schema.optionalKey
  ),
  group_by: StatsDimension.annotate({
    description: "The field to group by. Without it, figures are for all calls together."
  }).pipe(
    Schema.optionalKey
  ),
  group: Lookup.pipe(
    Schema.annotateEncoded({ description: "Only the figures of this value of `group_by`." }),
    Schema.optionalKey
  )
}
export interface StatsQuery extends Schema.Struct.Type<typeof StatsQuery> {}

/** A query with its defaults. `since` is not after `until`, and at most 90 days before it. */
export interface StatsRequest extends Pick<StatsQuery, "group_by" | "group"> {
  readonly since: Date
  /** Exclusive. */
  readonly until: Date
  readonly bucket: "hour" | "day"
  /** Counts only the calls of this key or grant. */
  readonly only?: { readonly key_id?: KeyId; readonly grant_id?: GrantId } | undefined
}

/** The field of a logged call for each value of `group_by`. */
export const statsFields = {
  provider: "provider",
  target: "target",
  client: "client_id",
  connection: "connection_id",
  key: "key_id",
  grant: "grant_id",
  error_code: "error_code"
} as const

/** The service, the provider or the account's access failed. All other errors refuse a call by a rule. */
export const failureCodes: ReadonlyArray<string> = [
  "caller_disconnected",
  "credentials_expired",
  "credentials_rejected",
  "internal_error",
  "outcome_unknown",
  "request_timeout",
  "unavailable",
  "upstream_error",
  "upstream_unreachable"
]

const Count = Schema.Int

export const StatsBucket = Schema.Struct({
  start: Timestamp.annotate({ description: "The beginning of the hour or day." }),
  group: Schema.NullOr(Schema.String).annotate({
    description: "The value of `group_by`; `null` where calls have none, and without `group_by`."
  }),
  calls: Count,
  errors: Count,
  refused: Count.annotate({ description: "Of the `errors`, those of calls that a rule of the service refused." }),
  cached: Count,
  p50_ms: Schema.Finite.annotate({ description: "Half of the calls took at most this long, within 5 %." }),
  p95_ms: Schema.Finite.annotate({ description: "95 % of the calls took at most this long, within 5 %." }),
  cost_usd: Schema.Finite
}).annotate({ identifier: "StatsBucket" })
export type StatsBucket = typeof StatsBucket.Type

export const Stats = Schema.Struct({
  buckets: Schema.Array(StatsBucket).annotate({ description: "In order of time, without empty ones." }),
  truncated: Schema.Boolean.annotate({
    description: `Whether there are more than ${maxStatsBuckets} buckets; the later ones are left out.`
  })
}).annotate({ identifier: "Stats" })
export type Stats = typeof Stats.Type
