import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import type { ServerResponse } from "node:http"
import { timePasses } from "../Connections/TokenFixture.ts"
import {
  change,
  deliveriesOf,
  madeWebhook,
  newKey,
  received,
  Server,
  startInstance
} from "../Features/Webhooks/Fixture.ts"
import { eventually } from "../support/Eventually.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { histories, isAnswer, isPass, longest } from "./History.ts"

const step = fc.record({
  happens: fc.constantFrom("created" as const, "created" as const, "revoked" as const, "joins" as const)
})

/** As many as an instance serves at a time. */
const stuck = 16

layer(Server)("Events for a webhook that fails at times", (it) => {
  it.effect(
    "arrive each at least once, those of one key in their order, and at once where another receiver answers",
    () =>
      histories("deliveries", step, ["1 second", "1 minute"], (steps) =>
        Effect.scoped(Effect.gen(function*() {
          const upstream = yield* LoopbackUpstream.make
          yield* startInstance
          // They have failed, and answer no more.
          upstream.handle(() => ({ status: 503 }))
          const failing = yield* Effect.replicateEffect(madeWebhook(`${upstream.url}/stuck`, "key.created"), stuck)
          yield* change("key.created", yield* newKey)
          for (const each of failing) {
            yield* TestClock.withLive(eventually(deliveriesOf(each), ([first]) => first?.http_status === 503))
          }
          const waiting: Array<ServerResponse> = []
          const answerAll = Effect.sync(() => {
            upstream.handle(() => ({ status: 204 }))
            for (const response of waiting) response.destroy()
          })
          const webhook = yield* madeWebhook(`${upstream.url}/hook`)
          const other = yield* madeWebhook(`${upstream.url}/other`)
          const outcomes = steps.flatMap((each) => isAnswer(each) ? [each.outcome] : [])
          const accepted: Array<string> = []
          const atOther = new Set<string>()
          upstream.handle((request) => {
            if (request.url === "/stuck") return (response) => void waiting.push(response)
            if (request.url === "/other") {
              atOther.add(received(other)(request).join(" "))
              return { status: 204 }
            }
            const outcome = outcomes.shift() ?? "done"
            if (outcome === "unavailable") return { status: 503 }
            accepted.push(received(webhook)(request).join(" "))
            return outcome === "lost" ? (response) => void response.destroy() : { status: 204 }
          })
          const expected: Array<string> = []
          let key = yield* newKey
          yield* Effect.gen(function*() {
            for (const each of steps) {
              if (isAnswer(each)) continue
              if (isPass(each)) {
                yield* timePasses(each.millis)
                continue
              }
              if (each.happens === "joins") {
                yield* startInstance
                continue
              }
              if (each.happens === "created") key = yield* newKey
              const event = `key.${each.happens} ${key.id}`
              expected.push(event)
              yield* change(`key.${each.happens}`, key)
              // No time passes meanwhile.
              yield* TestClock.withLive(eventually(Effect.sync(() => atOther.has(event)), (has) => has))
            }
            while ((yield* deliveriesOf(webhook)).some(({ status }) => status === "pending")) {
              yield* timePasses("10 seconds")
            }
          }).pipe(Effect.ensuring(answerAll))

          assert.sameMembers([...new Set(accepted)], [...new Set(expected)])
          for (const id of new Set(expected.map((event) => event.split(" ")[1]))) {
            const ofKey = (events: ReadonlyArray<string>) => [
              ...new Set(events.filter((event) => event.endsWith(`${id}`)))
            ]
            assert.deepStrictEqual(ofKey(accepted), ofKey(expected), "the order of a key's events")
          }
        }))),
    longest
  )
})
