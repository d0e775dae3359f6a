import { Context, Effect, Layer, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { RealPostgres } from "../support/RealPostgres.ts"
import { TestServer } from "../support/TestServer.ts"
import { TransactionPooler } from "../support/TransactionPooler.ts"

export type Instance = Context.Context<Layer.Success<ReturnType<typeof TestServer.make>>>

/** Each has an upstream of its own. */
export class TwoInstances extends Context.Service<TwoInstances, readonly [Instance, Instance]>()(
  "openaccounts/test/TwoInstances"
) {
  static readonly make = (settings: Readonly<Record<string, string>>) => {
    const instance = Layer.build(Layer.fresh(TestServer.make({
      ...settings,
      ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
      ADMIN_TOKEN: randomBytes(32).toString("base64url")
    })))
    return Effect.all([instance, instance], { concurrency: "unbounded" })
  }

  static readonly layerWith = (settings: Readonly<Record<string, string>>) =>
    Layer.effect(
      TwoInstances,
      Effect.flatMap(
        Effect.flatMap(RealPostgres, ({ createDatabase }) => createDatabase),
        (url) => TwoInstances.make({ ...settings, DATABASE_URL: Redacted.value(url) })
      )
    )

  static readonly layer = TwoInstances.layerWith({})

  static readonly layerPooled = Layer.effect(
    TwoInstances,
    Effect.flatMap(TransactionPooler, ({ directUrl, url }) =>
      TwoInstances.make({
        DATABASE_POOLER: "transaction",
        DATABASE_URL: Redacted.value(url),
        DATABASE_DIRECT_URL: Redacted.value(directUrl)
      }))
  ).pipe(Layer.provideMerge(TransactionPooler.layer))
}
