import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer, Option, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { Storage } from "../../../src/Core.ts"
import { Quotas } from "../../../src/Features/Quotas/Quotas.ts"
import { Catalog } from "../../../src/Providers/Catalog/Catalog.ts"
import { urlInspectionIndexInspect } from "../../../src/Providers/Gsc/Endpoints.ts"
import { gsc } from "../../../src/Providers/Gsc/Provider.ts"
import { serviceCaller } from "../../../src/Providers/Sending/Caller.ts"
import { RealPostgres } from "../../support/RealPostgres.ts"

const Settings = Layer.unwrap(Effect.gen(function*() {
  const { createDatabase } = yield* RealPostgres
  return ConfigProvider.layer(ConfigProvider.fromUnknown({
    DATABASE_URL: Redacted.value(yield* createDatabase),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    QUOTAS: JSON.stringify({ "gsc.inspection_day.resource": 2 })
  }))
}))

/** With connections of its own. */
const instance = Effect.map(
  Layer.build(Layer.fresh(Quotas.layer.pipe(Layer.provide(Catalog.layer([gsc])), Layer.provide(Storage)))),
  (context) => Context.get(context, Quotas)
)

layer(Settings.pipe(Layer.provide(RealPostgres.layer)), { excludeTestServices: true })("Two instances", (it) => {
  it.effect("both know which accounts reach a site, and send what its quota allows", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* instance, yield* instance]
      const request = {
        provider: gsc,
        endpoint: urlInspectionIndexInspect,
        input: { body: { siteUrl: "sc-domain:acme.com", inspectionUrl: "https://acme.com/" } },
        access: { quotaAccount: Effect.succeed({ project: "acme", account: "jane@acme.com" }) }
      }
      const take = (quotas: typeof one) => Effect.option(quotas.take(request, { ...serviceCaller(), waitMillis: 0 }))
      const first = Option.getOrThrow(yield* take(one))
      first.attempt()
      yield* first.learn({ status: 200, retryAfter: undefined, body: () => ({}) })
      const sent = [yield* take(other), yield* take(other), yield* take(one)].map(Option.isSome)
      assert.deepStrictEqual(sent, [true, false, false])
    }))
})
