import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { addDays, pacificTime, today } from "../../src/Providers/Tooling/DateWindow.ts"
import { acme, answerSearches, fewRows, isSearch, rowsOf } from "../Features/Datasets/Fixture.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { histories, longest, play } from "./History.ts"
import { inInstance, which, World } from "./World.ts"

const hour = 3_600_000
const day = 24 * hour

const daysFrom = (first: string, last: string): ReadonlyArray<string> =>
  first > last ? [] : [first, ...daysFrom(addDays(first, 1), last)]

const step = fc.record({ instance: which, paused: fc.boolean() })

layer(World.layer, { excludeTestServices: true })("A dataset that is paused and resumed by two instances", (it) => {
  it.effect(
    "has each of its days, with the rows of that day once",
    () =>
      histories("dataset days", step, ["10 seconds", "1 day"], (steps) =>
        Effect.gen(function*() {
          const { connection } = yield* inInstance(0, seed())
          const { pass, tick } = yield* World
          const date = inInstance(0, today(pacificTime))
          const since = addDays(yield* date, -4)
          const { id } = yield* inInstance(
            0,
            Effect.flatMap(
              TestServer,
              ({ admin }) => admin.datasets.create({ payload: { ...acme, connection_id: connection.id, since } })
            )
          )
          const change = (instance: 0 | 1, paused: boolean) =>
            inInstance(
              instance,
              Effect.flatMap(TestServer, ({ admin }) => admin.datasets.change({ params: { id }, payload: { paused } }))
            )
          yield* play(steps, {
            start: ({ instance, paused }) => change(instance, paused),
            reply: (request) => isSearch(request) ? answerSearches(fewRows)(request) : { body: {} },
            waits: (request) => isSearch(request)
          })
          yield* change(1, false)
          yield* pass(day)
          const days = daysFrom(since, addDays(yield* date, -4))
          const found = inInstance(0, Effect.flatMap(TestServer, ({ admin }) => admin.datasets.get({ params: { id } })))
          for (let dataset = yield* found; dataset.days.done < days.length; dataset = yield* found) {
            yield* dataset.status === "running" ? tick : pass(hour)
          }
          for (const day of days) {
            const rows = yield* inInstance(0, rowsOf(id, day))
            const figures = (rows ?? []).map(({ impressions }) => Number(impressions))
            assert.sameMembers(figures, fewRows(day).map(({ impressions }) => impressions), day)
          }
        })),
    longest
  )
})
