import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
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
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { histories, isAnswer, isPass } from "./History.ts"

const step = fc.record({ happens: fc.constantFrom("created" as const, "revoked" as const) })

layer(Server)("Events for a webhook that fails at times", (it) => {
  it.effect(
    "arrive each at least once, those of one key in their order",
    () =>
      Effect.gen(function*() {
        yield* startInstance
        yield* startInstance
        yield* histories("deliveries", step, ["1 second", "1 minute"], (steps) =>
          Effect.scoped(Effect.gen(function*() {
            const upstream = yield* LoopbackUpstream.make
            const webhook = yield* madeWebhook(`${upstream.url}/hook`)
            const outcomes = steps.flatMap((each) => isAnswer(each) ? [each.outcome] : [])
            const accepted: Array<string> = []
            upstream.handle((request) => {
              const outcome = outcomes.shift() ?? "done"
              if (outcome === "unavailable") return { status: 503 }
              accepted.push(received(webhook)(request).join(" "))
              return outcome === "lost" ? (response) => void response.destroy() : { status: 204 }
            })
            const expected: Array<string> = []
            let key = yield* newKey
            for (const each of steps) {
              if (isAnswer(each)) continue
              if (isPass(each)) {
                yield* timePasses(each.millis)
                continue
              }
              if (each.happens === "created") key = yield* newKey
              const type = `key.${each.happens}` as const
              expected.push(`${type} ${key.id}`)
              yield* change(type, key)
            }
            while ((yield* deliveriesOf(webhook)).some(({ status }) => status === "pending")) {
              yield* timePasses("10 seconds")
            }

            assert.sameMembers([...new Set(accepted)], [...new Set(expected)])
            for (const id of new Set(expected.map((event) => event.split(" ")[1]))) {
              const ofKey = (events: ReadonlyArray<string>) => [
                ...new Set(events.filter((event) => event.endsWith(`${id}`)))
              ]
              assert.deepStrictEqual(ofKey(accepted), ofKey(expected), "the order of a key's events")
            }
          })))
      }),
    600_000
  )
})
