import { Effect, Fiber, Queue } from "effect"
import * as fc from "fast-check"
import { type Recorded, type Reply } from "../support/LoopbackUpstream.ts"
import { World } from "./World.ts"

/** How many histories of each kind. */
const seeds = Number(process.env["SEEDS"] ?? 15)

/** What becomes of a request that the provider has: it is carried out, carried out without an answer, or refused. */
export const outcome = fc.constantFrom("done", "lost", "unavailable")
type Outcome = "done" | "lost" | "unavailable"

/** Ends the wait of one of the requests at the provider. */
export interface Answer {
  readonly nth: number
  readonly outcome: Outcome
}

const answer: fc.Arbitrary<Answer> = fc.record({ nth: fc.nat(5), outcome })

/** A request and what became of it. */
export interface Sent {
  readonly request: Recorded
  readonly outcome: Outcome
}

/**
 * Plays steps in their order, each without a wait for the one before. Requests to the provider wait for an answer among
 * the steps, and those that are left at the end are carried out. The results are in the order of the steps.
 */
export const play = Effect.fnUntraced(function*<Step extends object, A, E, R>(
  steps: ReadonlyArray<Step | Answer>,
  { answered = () => {}, reply, start, waits }: {
    readonly start: (step: Step) => Effect.Effect<A, E, R>
    /** Carries out a request. */
    readonly reply: (request: Recorded) => Reply
    /** Other requests, such as those for tokens, are carried out at once. */
    readonly waits: (request: Recorded) => boolean
    /** Before a request that waited is answered. */
    readonly answered?: () => void
  }
) {
  const { upstream } = yield* World
  const sent: Array<Sent> = []
  const held: Array<(outcome: Outcome) => void> = []
  const arrivals = yield* Queue.sliding<void>(1)
  upstream.handle((request) => {
    if (!waits(request)) return reply(request)
    return (response) => {
      held.push((outcome) => {
        sent.push({ request, outcome })
        const { body, status = 200 } = outcome === "unavailable"
          ? { status: 503, body: { error: { code: 503, message: "Unavailable", status: "UNAVAILABLE" } } }
          : reply(request)
        if (outcome === "lost") return void response.destroy()
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
      })
      Queue.offerUnsafe(arrivals, undefined)
    }
  })
  const started: Array<Fiber.Fiber<A, E>> = []
  const ended = Effect.suspend(() => Effect.as(Fiber.awaitAll(started), "ended" as const))
  const answerNext = Effect.fnUntraced(function*({ nth, outcome }: Answer) {
    while (held.length === 0) {
      if ((yield* Effect.raceFirst(Queue.take(arrivals), ended)) === "ended") return false
    }
    answered()
    held.splice(nth % held.length, 1)[0]?.(outcome)
    return true
  })
  for (const step of steps) {
    if (isAnswer(step)) yield* answerNext(step)
    else started.push(yield* Effect.forkChild(start(step)))
  }
  while (yield* answerNext({ nth: 0, outcome: "done" }));
  // What goes on in the background is carried out from here on.
  upstream.handle(reply)
  while (held.length > 0) yield* answerNext({ nth: 0, outcome: "done" })
  return { results: yield* Fiber.joinAll(started), sent }
})

const isAnswer = (step: object): step is Answer => "outcome" in step

/** Tries histories of these steps. The shortest that fails is printed, with its seed: `SEED=…` tries it again. */
export const histories = Effect.fnUntraced(function*<Step extends object, E, R>(
  name: string,
  step: fc.Arbitrary<Step>,
  check: (steps: ReadonlyArray<Step | Answer>) => Effect.Effect<void, E, R>
) {
  const context = yield* Effect.context<R>()
  const steps = fc.array(fc.oneof({ arbitrary: step, weight: 3 }, { arbitrary: answer, weight: 2 }), {
    minLength: 1,
    maxLength: 14,
    size: "max"
  })
  const property = fc.asyncProperty(steps, (steps) => Effect.runPromiseWith(context)(check(steps)))
  yield* Effect.promise(() => fc.assert(property, { numRuns: seeds }))
  yield* Effect.sync(() => process.stdout.write(`${seeds} histories of ${name}\n`))
})
