import { Cache, Context, Duration, Effect, Exit, Layer, Option, type Redacted } from "effect"
import { SqlClient } from "effect/unstable/sql"
import type { Principal } from "../Api/Authentication.ts"
import { Unauthenticated } from "../Api/Errors.ts"
import { Changes } from "../Sql/Changes.ts"
import { inBatches } from "../Sql/InBatches.ts"
import { lastUsed } from "../Sql/LastUsed.ts"
import { hashApiKey, isApiKey } from "./ApiKey.ts"
import { findKeys } from "./FindKeys.ts"

/**
 * How long an instance that does not hear of changes may still honour a key that was revoked; the contract allows one
 * second.
 */
const staleness = Duration.millis(500)

/** The same one for all, so that no stack is walked for each of a flood. */
const unauthenticated = Effect.fail(new Unauthenticated())

export class Auth extends Context.Service<Auth, {
  /** Fails when the key is missing, malformed or revoked. */
  readonly authenticate: (key: Redacted.Redacted | undefined) => Effect.Effect<Principal, Unauthenticated>
}>()("openaccounts/Auth/Auth") {
  static readonly layer = Layer.effect(
    Auth,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const changes = yield* Changes
      const touch = yield* lastUsed("keys", Duration.seconds(60))

      const principals = yield* Cache.makeWith(
        inBatches((hashes: ReadonlyArray<string>) => Effect.orDie(findKeys(sql, hashes))),
        {
          capacity: 10_000,
          timeToLive: (exit) => Exit.isSuccess(exit) && Option.isSome(exit.value) ? staleness : Duration.zero
        }
      )

      yield* changes.subscribe((change) => {
        if (change?.table !== "connections") Effect.runSync(Cache.invalidateAll(principals))
      })

      const authenticate = Effect.fnUntraced(function*(key: Redacted.Redacted | undefined) {
        if (key === undefined || !isApiKey(key)) return yield* unauthenticated
        const principal = yield* Cache.get(principals, hashApiKey(key).toString("hex"))
        if (Option.isNone(principal)) return yield* unauthenticated
        yield* touch(principal.value.keyId)
        return principal.value
      })

      return Auth.of({ authenticate })
    })
  )
}
