import { Console, Effect, Struct } from "effect"
import { measure, type Measurement, type Subject } from "./Measure.ts"
import type { NodeProcess } from "./NodeProcess.ts"
import { peakMemory } from "./ProcessStats.ts"
import { compareCheckouts, type Environment, otherCheckout, type ScenarioName, scenarios } from "./Scenarios.ts"
import { summarize, type Summary } from "./Summary.ts"

/** Under this load, V8 compiles the hot code of the service within these seconds. */
const warmUp = { connections: 8, seconds: 8 }

export interface Options {
  readonly seconds: number
  readonly pairs: number
  readonly postgres: NodeProcess
}

export interface ScenarioResult {
  readonly scenario: ScenarioName
  readonly title: string
  readonly storage: Environment["storage"]["kind"]
  readonly connections: number
  readonly baseline: string | undefined
  readonly summaries: ReadonlyArray<Summary>
  /** Subjects in the order of the scenario. */
  readonly measurements: ReadonlyArray<{
    readonly subject: string
    readonly rounds: ReadonlyArray<Omit<Measurement, "callIds">>
  }>
}

export const runScenario = Effect.fn("runScenario")(
  function*(scenario: ScenarioName, environment: Environment, options: Options) {
    const { connections, subjects: prepare, title, workload } = scenarios[scenario]
    const { against, storage: { kind } } = environment
    const comparesCheckouts = against !== undefined && workload !== undefined
    const baseline = comparesCheckouts ? otherCheckout : scenarios[scenario].baseline
    yield* Console.error(`${title}, ${kind}`)

    const prepared: ReadonlyArray<Subject> = yield* (comparesCheckouts
      ? compareCheckouts(environment, against, workload)
      : prepare(environment))
    const subjects = prepared.map((subject) => ({ ...subject, measurements: new Array<Measurement>() }))
    const { pairs, postgres, seconds } = options
    const warm = { postgres, seconds: warmUp.seconds, connections: Math.max(connections, warmUp.connections) }
    for (const subject of subjects) yield* measure(subject, warm)
    for (let round = 0; round < pairs; round++) {
      // Reverses the order each round, so that no subject is always first.
      for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
        const measurement = yield* measure(subject, { connections, postgres, seconds })
        subject.measurements.push(measurement)
        yield* Console.error(`  ${subject.name}: ${measurement.perSecond.toFixed(0)}/s`)
      }
    }

    const baselineMeasurements = subjects.find(({ name }) => name === baseline)?.measurements
    const subjectsWithMemory = yield* Effect.forEach(
      subjects,
      (subject) => Effect.map(peakMemory(subject.process.pid), (peakMemory) => ({ ...subject, peakMemory }))
    )
    // Reading the log between measurements would disturb them.
    const summaries = yield* Effect.forEach(
      subjectsWithMemory,
      (subject) =>
        Effect.map(countUnlogged(subject), (unlogged) => {
          const { process: { startUp }, name, peakMemory, measurements } = subject
          return summarize({ subject: name, startUp, peakMemory, unlogged }, measurements, baselineMeasurements)
        })
    )
    return {
      scenario,
      title,
      storage: kind,
      connections,
      baseline,
      summaries,
      measurements: subjects.map(({ measurements, name }) => ({
        subject: name,
        rounds: measurements.map((measurement) => Struct.omit(measurement, ["callIds"]))
      }))
    } satisfies ScenarioResult
  },
  Effect.scoped
)

const countUnlogged = (
  { countMissing, measurements }: Subject & { readonly measurements: ReadonlyArray<Measurement> }
) =>
  countMissing === undefined ? Effect.succeed(0) : Effect.map(
    countMissing(measurements.flatMap(({ callIds }) => callIds)),
    (lost) => measurements.reduce((sum, { answered, callIds }) => sum + answered - callIds.length, lost)
  )
