import { Context, Duration, Effect, identity, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Unauthenticated } from "../Api/Errors.ts"
import type { Principal } from "../Domain/Principal.ts"
import { makeBatcher } from "../Sql/Batcher.ts"
import { cachedLookup } from "../Sql/CachedLookup.ts"
import { lastUsed } from "../Sql/LastUsed.ts"
import { hashApiKey, isApiKey } from "./ApiKeySecret.ts"
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

      const principalOf = yield* cachedLookup(
        ["keys", "members"],
        yield* makeBatcher((hashes: ReadonlyArray<string>) => Effect.orDie(findKeys(sql, hashes))),
        identity
      )

      const hashes = new WeakMap<Redacted.Redacted, string>()
      /** What is known of a key that was presented before need not be found out again. */
      const hashOf = (key: Redacted.Redacted): string | undefined => {
        const known = hashes.get(key)
        if (known !== undefined || !isApiKey(key)) return known
        const hash = hashApiKey(key)
        hashes.set(key, hash)
        return hash
      }

      const authenticate = (key: Redacted.Redacted | undefined) => {
        const hash = key && hashOf(key)
        return hash === undefined ?
          unauthenticated :
          Effect.flatMap(principalOf(hash), (principal) =>
            Option.isSome(principal)
              ? Effect.as(touch(principal.value.keyId), principal.value)
              : unauthenticated)
      }

      return Auth.of({ authenticate })
    })
  )

  /** Knows these keys alone, whatever their form. */
  static readonly layerMemory = (
    keys: ReadonlyArray<{ readonly key: Redacted.Redacted; readonly principal: Principal }>
  ) => {
    const principals = new Map(keys.map(({ key, principal }) => [Redacted.value(key), principal]))
    return Layer.succeed(Auth, {
      authenticate: (key) => {
        const principal = key && principals.get(Redacted.value(key))
        return principal === undefined ? unauthenticated : Effect.succeed(principal)
      }
    })
  }
}
