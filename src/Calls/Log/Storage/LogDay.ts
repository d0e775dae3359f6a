import { DateTime, Duration } from "effect"

export type LogTable = "calls" | "refused_calls"

export const hour = Duration.toMillis("1 hour")
export const day = Duration.toMillis("1 day")

export const startOfDay = (millis: number): number => Math.floor(millis / day) * day

export const partitionOf = (millis: number, table: LogTable = "calls"): string =>
  `${table}_${DateTime.formatIsoDateUtc(DateTime.makeUnsafe(millis)).replaceAll("-", "")}`
