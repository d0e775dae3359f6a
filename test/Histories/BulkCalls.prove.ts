import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { report } from "../Http/Fixture.ts"
import { bodyOf } from "../support/Answer.ts"
import { freshGrant, seed, TestServer } from "../support/TestServer.ts"
import { histories, longest, play, type Sent, wasPaused } from "./History.ts"
import { inInstance, which, World } from "./World.ts"

const ask = (key: string, method: string, path: string, body?: unknown) =>
  Effect.flatMap(TestServer, ({ request }) => request(method, `/v1${path}`, { key, body }))

/** The body of a bulk call, once it has ended. */
const ended = Effect.fnUntraced(function*(key: string, id: unknown) {
  let bulk: Record<string, unknown>
  do {
    bulk = bodyOf(yield* ask(key, "GET", `/bulk-calls/${id}?wait=60`))
  } while (bulk.status === "queued" || bulk.status === "running")
  return bulk
})

/** After these milliseconds without a sign of life, another instance takes a bulk call over. */
const lease = 3000

/** Whether an account is asked again although its answer was there, or is still awaited by an instance that lives. */
const isNeedless = (steps: ReadonlyArray<object>, { during: [from, to], outcome }: Sent, next: Sent) => {
  const isPaused = (until: number) => wasPaused(steps, lease, [from, until])
  return outcome === "done" ? !isPaused(to) : next.during[0] < to && !isPaused(next.during[0])
}

layer(World.layer, { excludeTestServices: true })("Bulk calls of one member", (it) => {
  it.effect("have each account once, in their rows or their failures, whichever instance runs them", () =>
    histories(
      "bulk calls",
      fc.record({ instance: which, act: fc.constantFrom("start", "start", "cancel") }),
      ["2 seconds", "1 minute"],
      (steps) =>
        Effect.gen(function*() {
          const { connect, connection, name, readOnly: key } = yield* inInstance(0, seed())
          const others = yield* inInstance(
            0,
            Effect.forEach([1, 2, 3, 4], (index) => connect({ credentials: freshGrant(`${name}-${index}`) }))
          )
          const ids = [connection, ...others].map(({ id }) => id)
          const started: Array<unknown> = []
          let last = 0
          const begun = steps.filter((step) => "act" in step && step.act === "start").slice(0, 4)
          const played = steps.filter((step) => !("act" in step) || step.act === "cancel" || begun.includes(step))
          const { results, sent } = yield* play(
            played,
            {
              start: ({ act, instance }) =>
                inInstance(
                  instance,
                  Effect.gen(function*() {
                    if (act === "cancel") {
                      yield* ask(key, "DELETE", `/bulk-calls/${started.at(-1) ?? "blk_0"}`)
                      return undefined
                    }
                    const { input, ...target } = report(["query"])
                    const body = { ...input.body, startDate: `2026-01-0${++last}` }
                    const { id } = bodyOf(
                      yield* ask(key, "POST", "/bulk-calls", { ...target, input: { ...input, body } })
                    )
                    started.push(id)
                    return yield* ended(key, id)
                  })
                ),
              reply: () => ({ body: { rows: [{ keys: ["a"], clicks: 1, impressions: 1, ctr: 1, position: 1 }] } }),
              waits: ({ url }) => url.startsWith("/gsc")
            }
          )
          for (const bulk of results) {
            if (bulk === undefined) continue
            const kept = bulk.result === null
              ? []
              : Object(bodyOf(yield* inInstance(1, ask(key, "GET", `/results/${Object(bulk.result).id}`)))).rows
            const rows: ReadonlyArray<unknown> = kept.map((row: ReadonlyArray<unknown>) => row[2])
            const failures = Object(bulk.failures).map((failure: { readonly connection_id: string }) =>
              failure.connection_id
            )
            const seen = [...rows, ...failures]
            assert.lengthOf(new Set(seen), seen.length, "an account twice")
            if (bulk.status !== "done") continue
            assert.sameMembers(seen, ids)
            assert.deepInclude(bulk, { total: ids.length, done: ids.length, failed: failures.length })
          }
          const items = Map.groupBy(
            sent.filter(({ request }) => request.body !== "").toSorted((one, other) => one.arrivedAt - other.arrivedAt),
            ({ request }) => `${request.headers.authorization} ${request.body}`
          )
          for (const requests of items.values()) {
            for (const [index, next] of requests.entries()) {
              const needless = requests.slice(0, index).filter((before) => isNeedless(played, before, next))
              assert.isEmpty(needless, "an account is asked again")
            }
          }
        })
    ), longest)
})
