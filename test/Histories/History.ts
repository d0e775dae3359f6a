import { Duration, Effect, Fiber } from "effect"
import * as fc from "fast-check"
import { type Recorded, type Reply } from "../support/LoopbackUpstream.ts"
import { World } from "./World.ts"

/** How many histories of each kind. Each has a seed of its own, from `SEED` on. */
const seeds = Number(process.env["SEEDS"] ?? 15)
const firstSeed = fc.readConfigureGlobal().seed ?? 0

/** For tests of histories, in milliseconds: against a hang. */
export const longest = Math.min(600_000 + seeds * 60_000, 2 ** 31 - 1)

/** In milliseconds, for the search for a shorter history that fails. */
const longestSearch = 300_000

/** What becomes of a request that the provider has: it is carried out, carried out without an answer, or refused. */
export const outcome = fc.constantFrom("done", "lost", "unavailable")
type Outcome = "done" | "lost" | "unavailable"

/** Ends the wait of one of the requests at the provider. */
export interface Answer {
  readonly nth: number
  readonly outcome: Outcome
}

const answer: fc.Arbitrary<Answer> = fc.record({ nth: fc.nat(5), outcome })

/** Time that passes. */
export interface Pass {
  readonly millis: number
}

/** A request that arrived at this time, beside others that had arrived during these steps, and what became of it. */
export interface Sent {
  readonly request: Recorded
  readonly arrivedAt: number
  /** The indexes of the steps during which it arrived and was answered. */
  readonly during: readonly [number, number]
  readonly beside: ReadonlyArray<number>
  readonly outcome: Outcome
}

/**
 * Plays steps in their order, each without a wait for the one before. Requests to the provider wait for an answer among
 * the steps, and those that are left at the end are carried out. The results are in the order of the steps.
 */
export const play = Effect.fnUntraced(function*<Step extends object, A, E, R>(
  steps: ReadonlyArray<Step | Answer | Pass>,
  { reply, start, waits }: {
    readonly start: (step: Step) => Effect.Effect<A, E, R>
    /** Carries out a request. */
    readonly reply: (request: Recorded, at: number) => Reply
    /** Other requests, such as those for tokens, are carried out immediately. */
    readonly waits: (request: Recorded) => boolean
  }
) {
  const { now, pass, settled, tick, upstream } = yield* World
  const time = () => Effect.runSync(now)
  const sent: Array<Sent> = []
  const held: Array<{ readonly arrivedDuring: number; readonly answer: (outcome: Outcome) => void }> = []
  let index = 0
  const defects: Array<unknown> = []
  const carryOut = (request: Recorded) => {
    try {
      return reply(request, time())
    } catch (defect) {
      defects.push(defect)
      return { status: 500 }
    }
  }
  upstream.handle((request) => {
    if (!waits(request)) return carryOut(request)
    return (response) => {
      const arrivedAt = time()
      const arrivedDuring = index
      const beside = held.map((each) => each.arrivedDuring)
      held.push({
        arrivedDuring,
        answer: (outcome) => {
          sent.push({ request, arrivedAt, during: [arrivedDuring, index], beside, outcome })
          const { body, status = 200 } = outcome === "unavailable"
            ? { status: 503, body: { error: { code: 503, message: "Unavailable", status: "UNAVAILABLE" } } }
            : carryOut(request)
          if (outcome === "lost") return void response.destroy()
          response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
        }
      })
    }
  })
  const started: Array<Fiber.Fiber<A, E>> = []
  const answerNext = Effect.fnUntraced(function*({ nth, outcome }: Answer) {
    while (held.length === 0) {
      yield* settled
      if (held.length > 0) break
      if (started.every((fiber) => fiber.pollUnsafe() !== undefined)) return false
      yield* tick
    }
    held.splice(nth % held.length, 1)[0]?.answer(outcome)
    return true
  })
  for (const step of steps) {
    if (isAnswer(step)) yield* answerNext(step)
    else if (isPass(step)) yield* pass(step.millis)
    else started.push(yield* Effect.forkChild(start(step)))
    index++
  }
  while (yield* answerNext({ nth: 0, outcome: "done" }));
  // What goes on in the background is carried out from here on.
  upstream.handle(carryOut)
  if (defects.length > 0) return yield* Effect.die(defects[0])
  return { results: yield* Fiber.joinAll(started), sent }
})

const print = (text: string) => Effect.sync(() => process.stdout.write(`${text}\n`))

export const isAnswer = (step: object): step is Answer => "outcome" in step
export const isPass = (step: object): step is Pass => "millis" in step

/** Whether an instance was paused for at least `millis` during these steps. */
export const wasPaused = (steps: ReadonlyArray<object>, millis: number, [from, to]: Sent["during"]) =>
  steps.slice(from, to + 1).some((step) => isPass(step) && step.millis >= millis)

/**
 * Tries histories of these steps, between which these times pass. The shortest that fails is printed, with its seed:
 * `SEEDS=1 SEED=…` tries it again.
 */
export const histories = Effect.fnUntraced(function*<Step extends object, E, R>(
  name: string,
  step: fc.Arbitrary<Step>,
  times: ReadonlyArray<Duration.Input>,
  check: (steps: ReadonlyArray<Step | Answer | Pass>) => Effect.Effect<void, E, R>
) {
  const context = yield* Effect.context<R>()
  const pass = fc.record({ millis: fc.constantFrom(...times.map((time) => Duration.toMillis(time))) })
  const steps = fc.array(
    fc.oneof(
      { arbitrary: step, weight: 6 },
      { arbitrary: answer, weight: 4 },
      ...times.length === 0 ? [] : [{ arbitrary: pass, weight: 2 }]
    ),
    { minLength: 1, maxLength: 14, size: "max" }
  )
  const property = fc.asyncProperty(steps, (steps) => Effect.runPromiseWith(context)(check(steps)))
  const since = performance.now()
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    if (seed > firstSeed && (seed - firstSeed) % 100 === 0) {
      yield* print(`${seed - firstSeed} histories of ${name} so far`)
    }
    const parameters = { seed, numRuns: 1, plugins: [fc.interruptAfterTimeLimit(longestSearch)] }
    yield* Effect.promise(() => fc.assert(property, parameters)).pipe(
      Effect.tapCause(() => print(`SEED=${seed} fails, after ${seed - firstSeed} histories of ${name}`))
    )
  }
  const perMinute = Math.round(seeds * 60_000 / (performance.now() - since))
  yield* print(`${seeds} histories of ${name}, ${perMinute} a minute`)
})
