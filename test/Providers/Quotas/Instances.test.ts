import { assert, layer } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { sitesList } from "../../../src/Providers/Gsc/Endpoints.ts"
import { gsc } from "../../../src/Providers/Gsc/Provider.ts"
import { type QuotaCaller, serviceCaller } from "../../../src/Providers/Quotas/QuotaCaller.ts"
import { Quotas } from "../../../src/Providers/Quotas/Quotas.ts"
import { Storage } from "../../../src/Server.ts"
import { settings, TestDataDir } from "../../support/TestServer.ts"

const perSecond = 40

const TestLayer = Storage.pipe(
  Layer.provideMerge(settings({
    QUOTAS: JSON.stringify({ "gsc.other_second.account": perSecond, "gsc.other.account": 1_000_000 })
  })),
  Layer.provideMerge(TestDataDir.layer)
)

const request = {
  provider: gsc,
  endpoint: sitesList,
  input: {},
  access: { quotaAccount: Effect.succeed({ project: "acme", account: "jane@acme.com" }) }
}

const instance = Effect.map(
  Layer.build(Layer.fresh(Quotas.layer([gsc]))),
  (context) => Context.get(context, Quotas)
)

// Windows of a second need the real clock.
layer(TestLayer, { excludeTestServices: true })("Two instances on one database", (it) => {
  it.effect(
    "together keep within a quota, use it up, and give members that ask for more no more",
    () =>
      Effect.gen(function*() {
        const [one, other] = [yield* instance, yield* instance]
        const seconds = 4
        const start = yield* Clock.currentTimeMillis
        const taken = new Map<string, number>()

        const ask = Effect.fnUntraced(function*(quotas: Quotas["Service"], member: string) {
          while ((yield* Clock.currentTimeMillis) < start + seconds * 1000) {
            const caller: QuotaCaller = { ...serviceCaller(), member, waitMillis: 2000 }
            const permit = yield* Effect.option(quotas.take(request, caller))
            if (permit._tag === "None") continue
            permit.value.end(true)
            taken.set(member, (taken.get(member) ?? 0) + 1)
          }
        })
        const callers = [
          ...Array.from({ length: 30 }, () => ask(one, "greedy")),
          ...Array.from({ length: 20 }, () => ask(other, "greedy")),
          ...["ann", "ben"].flatMap((member) => Array.from({ length: 25 }, () => ask(one, member))),
          ...["cat"].flatMap((member) => Array.from({ length: 25 }, () => ask(other, member)))
        ]
        yield* Effect.all(callers, { concurrency: "unbounded", discard: true })
        const elapsed = ((yield* Clock.currentTimeMillis) - start) / 1000

        const total = [...taken.values()].reduce((sum, units) => sum + units, 0)
        assert.isAtMost(total, perSecond * (elapsed + 1))
        for (const member of ["greedy", "ann", "ben", "cat"]) {
          // Four seconds on a busy machine. The rules of shares are tested with a clock of their own.
          assert.isAtLeast(taken.get(member) ?? 0, 0.5 * total / 4, `${member} of ${JSON.stringify([...taken])}`)
        }
      }),
    60_000
  )
})
