import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { clearRange } from "../Http/Fixture.ts"
import { errorIn } from "../support/Answer.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { histories, longest, play } from "./History.ts"
import { inInstance, which, World } from "./World.ts"

/** The range names the key and the body, so that the provider's requests do too. */
const write = (key: number, body: number) => ({
  ...clearRange,
  input: { path: { ...clearRange.input.path, range: `Key${key}!A${body + 1}` } }
})

const step = fc.record({ instance: which, key: fc.nat(1), body: fc.constantFrom(0, 0, 0, 1) })

/** Errors of the callers of a key, by what became of its request. */
const of = { unsent: [], done: [], lost: ["upstream_unreachable", "outcome_unknown"], unavailable: ["upstream_error"] }
const day = 86_400_000
const always = ["idempotency_in_progress", "idempotency_key_reused"]

layer(World.layer, { excludeTestServices: true })("Writes with an idempotency key", (it) => {
  it.effect(
    "are sent at most once, and each caller gets the one answer or hears that it is unknown",
    () =>
      histories("idempotent writes", step, ["1 minute", "25 hours"], (steps) =>
        Effect.gen(function*() {
          const { readWrite } = yield* inInstance(0, seed({ provider: "gsheets" }))
          const { now } = yield* World
          const { results, sent } = yield* play(steps, {
            start: ({ body, instance, key }) =>
              inInstance(
                instance,
                Effect.gen(function*() {
                  const { request } = yield* TestServer
                  const headers = { "idempotency-key": `key-${key}` }
                  return {
                    key,
                    since: yield* now,
                    answer: yield* request("POST", "/v1/call", { key: readWrite, body: write(key, body), headers })
                  }
                })
              ),
            reply: () => ({ body: { spreadsheetId: "1", clearedRange: "A1" } }),
            waits: ({ url }) => url.startsWith("/gsheets")
          })
          for (const key of [0, 1]) {
            const all = results.filter((result) => result.key === key)
            const requests = sent.filter(({ request }) => request.url.includes(`Key${key}`))
            const first = all[0]?.since ?? 0
            const arrivals = requests.map(({ arrivedAt }) => arrivedAt - first).toSorted((one, other) => one - other)
            assert.isTrue(arrivals.every((at, index) => at >= index * day), `requests of key ${key}`)
            if (requests.length > 1) continue
            const fate = requests[0]?.outcome ?? "unsent"
            const answers = all.map(({ answer }) => answer)
            const good = answers.filter(({ status }) => status === 200)
            assert.strictEqual(new Set(good.map(({ text }) => text)).size, fate === "done" ? 1 : 0)
            const codes = answers.filter(({ status }) => status !== 200).map((answer) => errorIn(answer).code)
            assert.includeMembers([...always, ...of[fate]], codes)
          }
        })),
    longest
  )
})
