import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { bodyOf, detailsOf } from "../support/Answer.ts"
import { withSession } from "../support/SignedIn.ts"
import { bySitesearchKey, keyFor, seed, TestServer } from "../support/TestServer.ts"
import { histories, longest, play } from "./History.ts"
import { inInstance, which, World } from "./World.ts"

const submit = (page: number) => ({
  provider: "sitesearch",
  endpoint: "SubmitUrl",
  input: { body: { siteUrl: "https://example.com/", url: `https://example.com/${page}` } }
})

const hour = 3_600_000

/** Decisions of a person about two writes that were asked for, between repetitions of the two calls. */
const step = fc.record({ instance: which, page: fc.nat(1), act: fc.constantFrom("approve", "approve", "deny", "call") })

layer(World.layer, { excludeTestServices: true })("Writes that a person decides about", (it) => {
  it.effect(
    "are sent at most once, after an approval and never after a denial",
    () =>
      histories("approvals", step, ["1 minute", "61 minutes"], (steps) =>
        Effect.gen(function*() {
          const { key, member } = yield* inInstance(
            0,
            Effect.gen(function*() {
              const { member } = yield* seed(bySitesearchKey)
              const key = yield* keyFor(member, { access: "read_write", writes: "ask" })
              return { key, member }
            })
          )
          const call = (page: number) =>
            Effect.flatMap(TestServer, ({ request }) => request("POST", "/v1/call", { key, body: submit(page) }))
          const { now, tick } = yield* World
          const asked = yield* now
          const ids = yield* Effect.forEach(
            [0, 1],
            (page) => Effect.map(inInstance(0, call(page)), (asked) => String(detailsOf(asked).approval_id))
          )
          const decide = (page: number, act: string) =>
            Effect.flatMap(withSession(member), ({ request }) => request("POST", `/v1/approvals/${ids[page]}/${act}`))
          const { results, sent } = yield* play(steps, {
            start: ({ act, instance, page }) =>
              Effect.gen(function*() {
                const since = yield* now
                const answer = yield* inInstance(instance, act === "call" ? call(page) : decide(page, act))
                return { page, act, since, answer }
              }),
            reply: () => ({ body: { d: null } }),
            waits: () => true
          })
          for (const [page, id] of ids.entries()) {
            const requests = sent.filter(({ request }) => request.body.includes(`example.com/${page}"`))
            const found = inInstance(
              1,
              Effect.flatMap(TestServer, ({ request }) => request("GET", `/v1/approvals/${id}`, { key }))
            )
            let approval = bodyOf(yield* found)
            // Another instance has taken over from one that was paused.
            for (; approval.status === "approved"; approval = bodyOf(yield* found)) yield* tick
            const decisions = results.filter((result) => result.page === page && result.act !== "call")
            const seen = decisions.map(({ answer }) => bodyOf(answer).status)
            assert.isAtMost(requests.length, 1)
            assert.strictEqual(approval.status === "done", requests.length === 1)
            // A person who decides second sees how the first has decided.
            assert.isFalse(seen.includes("denied") && approval.status !== "denied")
            assert.isFalse(seen.includes("done") && approval.status !== "done")
            const inTime = decisions.filter(({ act, since }) => act === "approve" && since - asked < hour)
            if (requests.length === 1) assert.isNotEmpty(inTime, "sent without an approval in time")
          }
        })),
    longest
  )
})
