import { Console, Effect } from "effect"
import type { Child } from "./Children.ts"
import { measure, type Phase, type Subject } from "./Measure.ts"
import { peakMemory } from "./Proc.ts"
import { type ScenarioName, scenarios, type Stage } from "./Scenarios.ts"
import { summarize, type Summary } from "./Summary.ts"

/** Until V8 has compiled what is hot, which takes a service longer than a server of three hundred lines. In seconds. */
const warmUp = 8

export interface Options {
  /** Of every phase. */
  readonly seconds: number
  /** How often every subject has its turn. */
  readonly pairs: number
  readonly postgres: Child
}

export interface Played {
  readonly scenario: ScenarioName
  readonly title: string
  readonly storage: Stage["storage"]["kind"]
  readonly connections: number
  readonly yardstick: string | undefined
  readonly summaries: ReadonlyArray<Summary>
}

/** Warms every subject of a scenario up, gives them their turns, and sums up. Its processes end with it. */
export const play = Effect.fn("play")(function*(scenario: ScenarioName, stage: Stage, options: Options) {
  const { connections, subjects: prepare, title, yardstick } = scenarios[scenario]
  const { kind } = stage.storage
  yield* Console.error(`${title}, ${kind}`)

  const prepared: ReadonlyArray<Subject> = yield* prepare(stage)
  const subjects = prepared.map((subject) => ({ ...subject, phases: new Array<Phase>() }))
  const { pairs, postgres, seconds } = options
  for (const subject of subjects) yield* measure(subject, { connections, postgres, seconds: warmUp })
  for (let round = 0; round < pairs; round++) {
    // There and back again, so that nobody is always first.
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
      const phase = yield* measure(subject, { connections, postgres, seconds })
      subject.phases.push(phase)
      yield* Console.error(`  ${subject.name}: ${phase.perSecond.toFixed(0)}/s`)
    }
  }

  const measured = subjects.find(({ name }) => name === yardstick)?.phases
  const atTheirPeak = yield* Effect.forEach(
    subjects,
    (subject) => Effect.map(peakMemory(subject.child.pid), (peakMemory) => ({ ...subject, peakMemory }))
  )
  // Only now: a service that looks through its log between turns would begin the next with other things at hand.
  const summaries = yield* Effect.forEach(atTheirPeak, (subject) =>
    Effect.map(countUnlogged(subject), (unlogged) => {
      const { child: { startUp }, name, peakMemory, phases } = subject
      return summarize({ subject: name, startUp, peakMemory, unlogged }, phases, measured)
    }))
  return { scenario, title, storage: kind, connections, yardstick, summaries } satisfies Played
}, Effect.scoped)

const countUnlogged = ({ missing, phases }: Subject & { readonly phases: ReadonlyArray<Phase> }) =>
  missing === undefined ? Effect.succeed(0) : Effect.map(
    missing(phases.flatMap(({ callIds }) => callIds)),
    (lost) => phases.reduce((sum, { answered, callIds }) => sum + answered - callIds.length, lost)
  )
