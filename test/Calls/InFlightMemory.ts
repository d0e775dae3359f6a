/** Prints the most megabytes that 3000 completed calls leave after collections of the young generation. */
import { Effect } from "effect"
import { makeCallsInFlight } from "../../src/Calls/CallsInFlight.ts"

const collect = globalThis.gc
if (collect === undefined) throw new Error("Run with --expose-gc")

const megabytes = () => {
  void collect({ type: "minor", execution: "sync" })
  void collect({ type: "minor", execution: "sync" })
  return process.memoryUsage().heapUsed / 1e6
}

const left = Effect.gen(function*() {
  const { run } = yield* makeCallsInFlight
  const call = Effect.suspend(() => {
    const body = Array.from({ length: 1000 }, (_, index) => ({ index }))
    return run(Effect.map(Effect.yieldNow, () => body.length))
  })
  const calls = (count: number) => Effect.replicateEffect(call, count, { concurrency: 32, discard: true })
  yield* calls(100)
  const meanwhile = Effect.sync(() => {
    // Moves the collection of calls in flight to the old generation.
    collect()
    return megabytes()
  })
  const [, before] = yield* Effect.all([calls(3000), Effect.andThen(Effect.yieldNow, meanwhile)], { concurrency: 2 })
  return megabytes() - before
})

const rounds = Effect.replicateEffect(Effect.scoped(left), 5)
process.stdout.write(`${Math.max(...await Effect.runPromise(rounds))}\n`)
