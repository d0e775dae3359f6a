/** A latency as it is told: milliseconds with at most three decimals. */
export const toMillis = (nanos: bigint): number => Math.round(Number(nanos) / 1000) / 1000
