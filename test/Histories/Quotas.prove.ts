import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { clearRange } from "../Http/Fixture.ts"
import { shared } from "../support/Shared.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { histories, longest, play } from "./History.ts"
import { inInstance, type Which, which, World } from "./World.ts"

const limit = 5
const minute = 60_000

const Limited = shared(
  World.make({ QUOTAS: JSON.stringify({ "gsheets.read.account": limit, "gsheets.read.project": 10_000 }) })
)

/** Reads that wait at most `seconds` for a unit. */
const step = fc.record({ instance: which, seconds: fc.constantFrom(0, 0, 5), reads: fc.constantFrom(1, 1, limit) })

const perInstance = ([0, 1, 0, 1, 0] as const).map((instance: Which) => ({ instance, seconds: 5, reads: 1 }))

layer(Limited, { excludeTestServices: true })("Reads of an account with a quota", (it) => {
  it.effect(
    "exceed it in no window, and have all of it again after one",
    () =>
      histories(
        "quota units",
        step,
        ["1 second", "20 seconds", "40 seconds", "1 minute"],
        (steps) =>
          Effect.gen(function*() {
            const { pass } = yield* World
            const { readOnly } = yield* inInstance(0, seed({ provider: "gsheets" }))
            const body = { ...clearRange, endpoint: "values.get" }
            const reads = {
              start: ({ instance, reads, seconds }: typeof perInstance[number]) =>
                inInstance(
                  instance,
                  Effect.flatMap(
                    TestServer,
                    ({ request }) =>
                      Effect.replicateEffect(
                        request("POST", "/v1/call", { key: readOnly, body, headers: { prefer: `wait=${seconds}` } }),
                        reads,
                        { concurrency: reads }
                      )
                  )
                ),
              reply: () => ({ body: { range: "A1", majorDimension: "ROWS" } }),
              waits: ({ url }: { readonly url: string }) => url.startsWith("/gsheets")
            }
            const { sent } = yield* play(steps, reads)
            // A unit comes back up to one percent of the window and the time of a lease later.
            yield* pass(minute + 5000)
            const again = yield* play(perInstance, reads)
            assert.isTrue(again.results.flat().every(({ status }) => status === 200), "a unit is lost")
            const arrivals = [...sent, ...again.sent].map(({ arrivedAt }) => arrivedAt)
            const inMinute = arrivals.map((start) => arrivals.filter((at) => at >= start && at < start + minute).length)
            assert.isAtMost(Math.max(0, ...inMinute), limit, "requests in a minute")
          })
      ),
    longest
  )
})
