import { Context, Effect, Layer, Redacted } from "effect"
import * as fc from "fast-check"
import { randomBytes } from "node:crypto"
import { Origins } from "../../src/Providers/Origins.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { RealPostgres } from "../support/RealPostgres.ts"
import { s3Server } from "../support/S3Server.ts"
import { shared } from "../support/Shared.ts"
import { TestDataDir, TestServer } from "../support/TestServer.ts"

const startInstance = (settings: Readonly<Record<string, string>>, upstream: LoopbackUpstream["Service"]) =>
  Layer.build(Layer.fresh(
    TestServer.on({
      origins: Layer.merge(
        Layer.succeed(Origins, ({ id }) => `${upstream.url}/${id}`),
        Layer.succeed(LoopbackUpstream, upstream)
      )
    }, settings).pipe(Layer.provide(TestDataDir.layer))
  ))

type Instance = Effect.Success<ReturnType<typeof startInstance>>
type Services = Instance extends Context.Context<infer Services> ? Services : never

/** Two instances on one database, and one upstream that stands for every provider. */
export class World extends Context.Service<World, {
  readonly instances: readonly [Instance, Instance]
  readonly upstream: LoopbackUpstream["Service"]
}>()("openaccounts/test/Histories/World") {
  /** The one that the test files of a worker share. */
  static readonly layer = shared(
    Layer.effect(
      World,
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream.make
        const bucket = yield* s3Server
        const settings = {
          ...bucket.settings,
          DATABASE_URL: Redacted.value(yield* (yield* RealPostgres).createDatabase),
          ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
          ADMIN_TOKEN: randomBytes(32).toString("base64url"),
          RATE_LIMIT: "100000/second"
        }
        const first = yield* startInstance(settings, upstream)
        return { instances: [first, yield* startInstance(settings, upstream)], upstream }
      })
    ).pipe(Layer.provide(RealPostgres.layer))
  )
}

export type Which = 0 | 1

export const which = fc.constantFrom<Which>(0, 1)

export const inInstance = <A, E, R>(which: Which, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    World,
    ({ instances }) =>
      Effect.provideContext(effect, instances[which]) as Effect.Effect<A, E, Exclude<R, Services> | World>
  )
