import { DateTime, Duration } from "effect"

/** The partitioned tables of the log. */
export type LogTable = "calls" | "refused_calls"

/** The length of a partition of the log, a UTC day. In milliseconds. */
export const day = Duration.toMillis("1 day")

/** The start of the UTC day, in epoch milliseconds. */
export const startOfDay = (millis: number): number => Math.floor(millis / day) * day

/** The name of the partition that contains this time. */
export const partitionOf = (millis: number, table: LogTable = "calls"): string =>
  `${table}_${DateTime.formatIsoDateUtc(DateTime.makeUnsafe(millis)).replaceAll("-", "")}`
