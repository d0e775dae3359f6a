import { assert, layer } from "@effect/vitest"
import { Clock, ConfigProvider, Context, Effect, Layer, Option, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { Storage } from "../../../src/Core.ts"
import { Quotas } from "../../../src/Features/Quotas/Quotas.ts"
import { Catalog } from "../../../src/Providers/Catalog/Catalog.ts"
import { sitesList, urlInspectionIndexInspect } from "../../../src/Providers/Gsc/Endpoints.ts"
import { gsc } from "../../../src/Providers/Gsc/Provider.ts"
import { serviceCaller } from "../../../src/Providers/Sending/Caller.ts"
import { RealPostgres } from "../../support/RealPostgres.ts"

const limit = 40

const Settings = Layer.unwrap(Effect.gen(function*() {
  const { createDatabase } = yield* RealPostgres
  return ConfigProvider.layer(ConfigProvider.fromUnknown({
    DATABASE_URL: Redacted.value(yield* createDatabase),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    QUOTAS: JSON.stringify({
      "gsc.other.account": limit,
      "gsc.other_second.account": 1_000_000,
      "gsc.inspection_day.resource": 2
    })
  }))
}))

const request = {
  provider: gsc,
  endpoint: sitesList,
  input: {},
  access: { quotaAccount: Effect.succeed({ project: "acme", account: "jane@acme.com" }) }
}

/** With connections of its own. */
const instance = Effect.map(
  Layer.build(Layer.fresh(Quotas.layer.pipe(Layer.provide(Catalog.layer([gsc])), Layer.provide(Storage)))),
  (context) => Context.get(context, Quotas)
)

const TestLayer = Settings.pipe(Layer.provide(RealPostgres.layer))

layer(TestLayer, { excludeTestServices: true })("Two instances on one Postgres", (it) => {
  it.effect("together send what a quota allows, and no more", () =>
    Effect.gen(function*() {
      const instances = [yield* instance, yield* instance]
      const start = yield* Clock.currentTimeMillis
      const takes = Array.from({ length: 4 * limit }, (_, index) =>
        Effect.option(
          instances[index % 2]?.take(request, { ...serviceCaller(), member: `member ${index % 6}`, waitMillis: 0 }) ??
            Effect.die("an instance")
        ))
      const permits = yield* Effect.all(takes, { concurrency: 20 })
      const sent = permits.filter(({ _tag }) => _tag === "Some").length
      const minutes = Math.floor(((yield* Clock.currentTimeMillis) - start) / 60_000)
      assert.isAtMost(sent, limit * (minutes + 1))
      assert.isAtLeast(sent, 0.9 * limit)
    }))

  it.effect("both know which accounts reach a site", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* instance, yield* instance]
      const input = { body: { siteUrl: "sc-domain:acme.com", inspectionUrl: "https://acme.com/" } }
      const take = (quotas: typeof one) =>
        Effect.option(
          quotas.take(
            { ...request, endpoint: urlInspectionIndexInspect, input },
            { ...serviceCaller(), waitMillis: 0 }
          )
        )
      const first = Option.getOrThrow(yield* take(one))
      first.attempt()
      yield* first.learn({ status: 200, retryAfter: undefined, body: () => ({}) })
      const sent = [yield* take(other), yield* take(other), yield* take(one)].map(Option.isSome)
      assert.deepStrictEqual(sent, [true, false, false])
    }))
})
