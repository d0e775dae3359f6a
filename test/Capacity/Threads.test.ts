import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Threads } from "../../src/Capacity/Threads.ts"

const threads = new Threads<{ readonly waitMillis?: number }, string>({
  module: new URL("BusyThread.ts", import.meta.url),
  size: 1,
  resourceLimits: {},
  refusal: "Too much."
})

const run = (job: { readonly waitMillis?: number }, withinMillis: number) =>
  threads.run("member", Effect.succeed(job), () => ({ withinMillis }))

describe("A job of a thread", () => {
  it.live("has its time in CPU time: while the machine does something else, it takes none", () =>
    Effect.gen(function*() {
      yield* run({ waitMillis: 0 }, 60_000)
      assert.strictEqual(yield* run({ waitMillis: 300 }, 100), "waited")
      assert.strictEqual((yield* Effect.flip(run({}, 100)))._tag, "JobTooLong")
      assert.strictEqual(yield* run({ waitMillis: 0 }, 60_000), "waited")
    }))
})
