import { Context, Duration, Effect, Layer, Option, type Redacted } from "effect"
import { SqlClient } from "effect/unstable/sql"
import type { Principal } from "../Api/Authentication.ts"
import { Unauthenticated } from "../Api/Errors.ts"
import { inBatches } from "../Sql/InBatches.ts"
import { lastUsed } from "../Sql/LastUsed.ts"
import { remembered } from "../Sql/Remembered.ts"
import { hashApiKey, isApiKey } from "./ApiKey.ts"
import { findKeys } from "./FindKeys.ts"

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
      const touch = yield* lastUsed("keys", Duration.seconds(60))

      const principalOf = yield* remembered(
        ["keys", "members"],
        yield* inBatches((hashes: ReadonlyArray<string>) => Effect.orDie(findKeys(sql, hashes)))
      )

      const authenticate = Effect.fnUntraced(function*(key: Redacted.Redacted | undefined) {
        if (key === undefined || !isApiKey(key)) return yield* unauthenticated
        const principal = yield* principalOf(hashApiKey(key))
        if (Option.isNone(principal)) return yield* unauthenticated
        yield* touch(principal.value.keyId)
        return principal.value
      })

      return Auth.of({ authenticate })
    })
  )
}
