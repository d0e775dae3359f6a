import { Schema } from "effect"
import type { Workload } from "./Workload.ts"

export interface LoadSpec extends Workload {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
  readonly seconds: number
}

/** Milliseconds. */
export const LoadResult = Schema.Struct({
  answered: Schema.Int,
  failed: Schema.Int,
  failure: Schema.NullOr(Schema.String),
  perSecond: Schema.Finite,
  p50: Schema.Finite,
  p95: Schema.Finite,
  p99: Schema.Finite,
  callIds: Schema.Array(Schema.String)
})
export type LoadResult = typeof LoadResult.Type
