import { NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import type { Vitest } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer, Redacted, type Scope } from "effect"
import { HttpServer } from "effect/http"
import { NetAddress } from "effect/net"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { randomBytes } from "node:crypto"
import { Auth } from "../../src/Auth/Auth.ts"
import { Cache } from "../../src/Calls/Cache/Cache.ts"
import { CallLog } from "../../src/Calls/Log/CallLog.ts"
import { SecretHashes } from "../../src/Calls/Log/SecretHashes.ts"
import { AttemptLimits } from "../../src/Capacity/AttemptLimits.ts"
import { RateLimit } from "../../src/Capacity/RateLimit.ts"
import { ConnectionRepo } from "../../src/Connections/ConnectionRepo.ts"
import { Storage } from "../../src/Core.ts"
import { Grants } from "../../src/Features/AgentAccess/Grants.ts"
import { ConnectLinks } from "../../src/Features/ConnectLinks/ConnectLinks.ts"
import { PendingConnections } from "../../src/Features/ConnectLinks/Visits/PendingConnections.ts"
import { Idempotency } from "../../src/Features/Idempotency/Idempotency.ts"
import { SignInServices } from "../../src/Features/SignIn/Services.ts"
import { Outbox } from "../../src/Features/Webhooks/Outbox.ts"
import { Clients } from "../../src/Management/Clients.ts"
import { Keys } from "../../src/Management/Keys.ts"
import { Members } from "../../src/Management/Members.ts"
import { DatabaseTime } from "../../src/Sql/Client/DatabaseTime.ts"
import { Database } from "../../src/Sql/Database.ts"
import { Invalidation } from "../../src/Sql/Notify/Invalidation.ts"
import { RealPostgres } from "../support/RealPostgres.ts"
import { settings, TestDataDir } from "../support/TestServer.ts"
import { testTime } from "./At.ts"
import { KnownKeys } from "./KnownKeys.ts"
import { OtherInstance } from "./OtherInstance.ts"
import { StoredLog } from "./StoredLog.ts"

const start = Date.UTC(2026, 2, 10, 12)

const limits = { LOG_BODY_BYTES: "2000", LOG_RETENTION: "30 days", RATE_LIMIT: "10/minute" }

export class EmptyDatabase extends Context.Service<EmptyDatabase, {
  /** The embedded database has one client, which all instances share. */
  readonly clients: (instances: number) => Effect.Effect<ReadonlyArray<SqlClient.SqlClient>, never, Scope.Scope>
}>()("openaccounts/test/EmptyDatabase") {
  static readonly layerEmbedded = Layer.effect(
    EmptyDatabase,
    Effect.gen(function*() {
      const database = Database.layerEmbedded(`${yield* TestDataDir}/db`)
      const sql = Context.get(yield* Effect.orDie(Layer.build(database)), SqlClient.SqlClient)
      const empty = Effect.orDie(Effect.andThen(sql`DROP SCHEMA public CASCADE`, sql`CREATE SCHEMA public`))
      return { clients: (instances) => Effect.as(empty, Array.from({ length: instances }, () => sql)) }
    })
  ).pipe(Layer.provide(Layer.fresh(TestDataDir.layer)), Layer.provide(NodeServices.layer))

  static readonly layerServer = Layer.effect(
    EmptyDatabase,
    Effect.gen(function*() {
      const { createDatabase } = yield* RealPostgres
      return {
        clients: Effect.fnUntraced(function*(instances) {
          const url = yield* createDatabase
          const client = Layer.build(Layer.fresh(PgClient.layer({ url })))
          return yield* Effect.orDie(Effect.replicateEffect(
            Effect.map(client, (context) => Context.get(context, SqlClient.SqlClient)),
            instances
          ))
        })
      }
    })
  )
}

const Listener = Layer.succeed(
  HttpServer.HttpServer,
  HttpServer.make({ serve: () => Effect.void, address: NetAddress.unixPathAddress("/dev/null") })
)

const Parts = Layer.mergeAll(KnownKeys.layer, OtherInstance.layer, SignInServices).pipe(
  Layer.provideMerge(Layer.mergeAll(Members.layer, Keys.layer)),
  Layer.provideMerge(Grants.layer),
  Layer.provideMerge(PendingConnections.layer),
  Layer.provideMerge(ConnectLinks.layer),
  Layer.provideMerge(
    Layer.mergeAll(Clients.layer, Auth.layer, ConnectionRepo.layer, Cache.layer, StoredLog, SecretHashes.layer)
  ),
  Layer.provideMerge(Layer.mergeAll(RateLimit.layer, Idempotency.layer, AttemptLimits.layer)),
  Layer.provideMerge(Listener),
  Layer.provideMerge(Outbox.layer),
  Layer.provideMerge(Storage),
  Layer.provide(Layer.succeed(DatabaseTime, testTime)),
  Layer.provide(Layer.effectDiscard(TestClock.setTime(start)))
)

export const Embedded = Parts.pipe(Layer.provideMerge(settings(limits)), Layer.provide(TestDataDir.layer))

const serverSettings = Layer.unwrap(Effect.gen(function*() {
  const { createDatabase } = yield* RealPostgres
  return ConfigProvider.layer(ConfigProvider.fromUnknown({
    ...limits,
    DATABASE_URL: Redacted.value(yield* createDatabase),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`
  }))
}))

export const Server = Parts.pipe(Layer.provideMerge(serverSettings), Layer.provide(RealPostgres.layer))

export const Memory = Layer.mergeAll(KnownKeys.layerMemory, OtherInstance.layerMemory).pipe(
  Layer.provideMerge(Layer.mergeAll(ConnectionRepo.layerMemory, Cache.layerMemory, CallLog.layerMemory)),
  Layer.provide(Invalidation.layerLocal),
  Layer.provide(Layer.effectDiscard(TestClock.setTime(start)))
)

export type StorageTests = (it: Vitest.MethodsNonLive<Layer.Success<typeof Embedded>>) => void
