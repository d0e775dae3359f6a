import type { Phase } from "./Measure.ts"

/** Of one subject, over all rounds: medians. */
export interface Summary extends Omit<Phase, "failure" | "callIds"> {
  readonly subject: string
  /** Answered, but not in the log. */
  readonly unlogged: number
  readonly cpu: number
  /** MB; the most that its process ever held. */
  readonly peakMemory: number
  /** Milliseconds. */
  readonly startUp: number
  /** Against the yardstick, the median over the pairs of each round. */
  readonly against?: {
    readonly throughput: number
    readonly cpu: number
    /** Milliseconds more at the median. */
    readonly addedP50: number
  }
}

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

const total = ({ databaseCpu, ownCpu }: Phase) => ownCpu + databaseCpu

/** `phases` and `yardstick` by round. */
export const summarize = (
  known: Pick<Summary, "subject" | "peakMemory" | "startUp" | "unlogged">,
  phases: ReadonlyArray<Phase>,
  yardstick: ReadonlyArray<Phase> | undefined
): Summary => {
  const of = (value: (phase: Phase) => number) => median(phases.map(value))
  const sum = (value: (phase: Phase) => number) => phases.reduce((all, phase) => all + value(phase), 0)
  const pairs = (compare: (phase: Phase, other: Phase) => number) =>
    median(phases.flatMap((phase, round) => {
      const other = yardstick?.[round]
      return other === undefined ? [] : [compare(phase, other)]
    }))
  return {
    ...known,
    answered: sum((phase) => phase.answered),
    failed: sum((phase) => phase.failed),
    perSecond: of((phase) => phase.perSecond),
    p50: of((phase) => phase.p50),
    p95: of((phase) => phase.p95),
    p99: of((phase) => phase.p99),
    cpu: of(total),
    ownCpu: of((phase) => phase.ownCpu),
    databaseCpu: of((phase) => phase.databaseCpu),
    ...(yardstick === undefined || yardstick === phases ? {} : {
      against: {
        throughput: pairs((phase, other) => phase.perSecond / other.perSecond),
        cpu: pairs((phase, other) => total(phase) / total(other)),
        addedP50: pairs((phase, other) => phase.p50 - other.p50)
      }
    })
  }
}
