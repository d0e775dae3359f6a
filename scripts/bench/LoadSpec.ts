import { Schema } from "effect"
import type { Exchange } from "./Workload.ts"

export interface LoadSpec extends Exchange {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
  readonly seconds: number
}

/** Latencies in milliseconds. */
export const LoadResult = Schema.Struct({
  /** With status 200. */
  answered: Schema.Int,
  failed: Schema.Int,
  /** What the first failure said. */
  failure: Schema.NullOr(Schema.String),
  perSecond: Schema.Finite,
  p50: Schema.Finite,
  p95: Schema.Finite,
  p99: Schema.Finite,
  /** The `x-call-id` of every answer that had one. */
  callIds: Schema.Array(Schema.String)
})
export type LoadResult = typeof LoadResult.Type
