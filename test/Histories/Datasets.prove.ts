import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { addDays, pacificTime, today } from "../../src/Providers/Tooling/DateWindow.ts"
import { acme, answerSearches, fewRows, isSearch, rowsOf } from "../Features/Datasets/Fixture.ts"
import { eventually } from "../support/Eventually.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { histories, play } from "./History.ts"
import { inInstance, which, World } from "./World.ts"

const step = fc.record({ instance: which, paused: fc.boolean() })

layer(World.layer, { excludeTestServices: true })("A dataset that is paused and resumed by two instances", (it) => {
  it.effect(
    "has each of its days, with the rows of that day once",
    () =>
      histories("dataset days", step, (steps) =>
        Effect.gen(function*() {
          const { connection } = yield* inInstance(0, seed())
          const since = addDays(yield* today(pacificTime), -4)
          const days = [0, 1, 2].map((index) => addDays(since, index))
          const { id } = yield* inInstance(
            0,
            Effect.flatMap(
              TestServer,
              ({ admin }) =>
                admin.datasets.create({ payload: { ...acme, schedule: null, connection_id: connection.id, since } })
            )
          )
          const change = (instance: 0 | 1, paused: boolean) =>
            inInstance(
              instance,
              Effect.flatMap(
                TestServer,
                ({ admin }) => admin.datasets.change({ params: { id }, payload: { paused } })
              )
            )
          yield* play(steps, {
            start: ({ instance, paused }) => change(instance, paused),
            reply: (request) => isSearch(request) ? answerSearches(fewRows)(request) : { body: {} },
            waits: (request) => isSearch(request)
          })
          // A run that ends after it was resumed may have put the next one off.
          const resumed = Effect.gen(function*() {
            const { admin } = yield* TestServer
            const dataset = yield* Effect.orDie(admin.datasets.get({ params: { id } }))
            const isDone = dataset.status === "idle" && dataset.days.done >= 4
            if (!isDone && dataset.status !== "running") yield* change(1, false)
            return isDone
          })
          yield* eventually(inInstance(0, resumed), (isDone) => isDone)
          for (const day of days) {
            const rows = yield* inInstance(0, rowsOf(id, day))
            const figures = (rows ?? []).map(({ impressions }) => Number(impressions))
            assert.sameMembers(figures, fewRows(day).map(({ impressions }) => impressions), day)
          }
        })),
    600_000
  )
})
