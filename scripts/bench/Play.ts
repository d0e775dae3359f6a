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
  /** How many calls of each subject were answered but are not in the log. */
  readonly unlogged: ReadonlyArray<number>
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
  const summaries = yield* Effect.forEach(
    subjects,
    ({ child, name, phases }) =>
      Effect.map(
        peakMemory(child.pid),
        (peakMemory) => summarize({ subject: name, startUp: child.startUp, peakMemory }, phases, measured)
      )
  )
  // Only now: a service that looks through its log between turns would begin the next with other things at hand.
  const unlogged = yield* Effect.forEach(
    subjects,
    ({ missing, phases }) =>
      missing === undefined ? Effect.succeed(0) : Effect.map(
        missing(phases.flatMap(({ callIds }) => callIds)),
        (lost) => phases.reduce((sum, { answered, callIds }) => sum + answered - callIds.length, lost)
      )
  )
  return { scenario, title, storage: kind, connections, yardstick, summaries, unlogged } satisfies Played
}, Effect.scoped)
