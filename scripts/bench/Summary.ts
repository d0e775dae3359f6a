import type { Measurement } from "./Measure.ts"

/** Medians over all measurements of one subject. Times in milliseconds, memory in MB. */
export interface Summary extends Omit<Measurement, "failure" | "callIds"> {
  readonly subject: string
  readonly unlogged: number
  readonly cpu: number
  readonly peakMemory: number
  readonly startUp: number
  /** Medians over the pairs of each round. */
  readonly against?: {
    readonly throughput: number
    readonly cpu: number
    readonly addedP50: number
  }
}

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

export const totalCpu = ({ databaseCpu, ownCpu }: Pick<Measurement, "ownCpu" | "databaseCpu">) => ownCpu + databaseCpu

export const summarize = (
  subject: Pick<Summary, "subject" | "peakMemory" | "startUp" | "unlogged">,
  measurements: ReadonlyArray<Measurement>,
  baseline: ReadonlyArray<Measurement> | undefined
): Summary => {
  const medianOf = (value: (measurement: Measurement) => number) => median(measurements.map(value))
  const sum = (value: (measurement: Measurement) => number) =>
    measurements.reduce((total, measurement) => total + value(measurement), 0)
  const pairs = (compare: (measurement: Measurement, other: Measurement) => number) =>
    median(measurements.flatMap((measurement, round) => {
      const other = baseline?.[round]
      return other === undefined ? [] : [compare(measurement, other)]
    }))
  return {
    ...subject,
    answered: sum((measurement) => measurement.answered),
    failed: sum((measurement) => measurement.failed),
    perSecond: medianOf((measurement) => measurement.perSecond),
    p50: medianOf((measurement) => measurement.p50),
    p95: medianOf((measurement) => measurement.p95),
    p99: medianOf((measurement) => measurement.p99),
    cpu: medianOf(totalCpu),
    ownCpu: medianOf((measurement) => measurement.ownCpu),
    databaseCpu: medianOf((measurement) => measurement.databaseCpu),
    ...(baseline === undefined || baseline === measurements ? {} : {
      against: {
        throughput: pairs((measurement, other) => measurement.perSecond / other.perSecond),
        cpu: pairs((measurement, other) => totalCpu(measurement) / totalCpu(other)),
        addedP50: pairs((measurement, other) => measurement.p50 - other.p50)
      }
    })
  }
}
