import { DateTime, Duration } from "effect"

/** The log has a partition for each UTC day, and keeps what belongs together within one. In milliseconds. */
export const day = Duration.toMillis("1 day")

/** When the day of a time began; both in milliseconds since the epoch. */
export const startOfDay = (millis: number): number => Math.floor(millis / day) * day

/** The name of the partition that has the calls of a day, which is known by any of its milliseconds. */
export const partitionOf = (millis: number): string =>
  `calls_${DateTime.formatIsoDateUtc(DateTime.makeUnsafe(millis)).replaceAll("-", "")}`
