import { PgTypes } from "@effect/sql-pg"
import { Context, Duration, Effect, Exit, identity, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Unauthenticated } from "../Api/Errors.ts"
import type { KeyPrincipal, Principal } from "../Domain/Principal.ts"
import { makeBatcher } from "../Sql/Batcher.ts"
import { array } from "../Sql/BulkInsert.ts"
import { cachedLookup } from "../Sql/CachedLookup.ts"
import { lastUsed } from "../Sql/LastUsed.ts"
import { hashApiKey, isApiKey } from "./ApiKeySecret.ts"

/** Preallocated: avoids a stack trace per rejected key. */
const unauthenticated = Effect.fail(new Unauthenticated())

export class Auth extends Context.Service<Auth, {
  readonly authenticate: (key: Redacted.Redacted | undefined) => Effect.Effect<Principal, Unauthenticated>
}>()("openaccounts/Auth/Auth") {
  static readonly layer = Layer.effect(
    Auth,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const touch = yield* lastUsed("keys", Duration.seconds(60))

      const findPrincipal = yield* cachedLookup(
        ["keys", "members"],
        yield* makeBatcher((hashes: ReadonlyArray<string>) => Effect.orDie(findPrincipals(sql, hashes))),
        identity
      )

      return Auth.of({
        authenticate: (key) => {
          if (key === undefined || !isApiKey(key)) return unauthenticated
          return Effect.flatMap(findPrincipal(hashApiKey(key)), (principal) =>
            Option.isSome(principal)
              ? Effect.as(touch(principal.value.keyId), principal.value)
              : unauthenticated)
        }
      })
    })
  )

  /** Accepts exactly these keys, whatever their format. */
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

const findPrincipals = (sql: SqlClient.SqlClient, hashes: ReadonlyArray<string>) => {
  const bytes = array(hashes.map((hash) => Buffer.from(hash, "hex")), PgTypes.OID.bytea)
  return Effect.map(
    sql<Omit<KeyPrincipal, "via" | "connectionIds"> & { readonly hash: string }>`
      SELECT encode(keys.hash, 'hex') AS hash, keys.id AS "keyId", members.id AS "memberId", keys.access,
        members.client_ids AS "clientIds"
      FROM keys JOIN members ON members.id = keys.member_id
      WHERE keys.hash = ANY(${bytes}) AND keys.revoked_at IS NULL`,
    (rows) => {
      const found = new Map(
        rows.map(({ hash, ...key }): [string, KeyPrincipal] => [hash, { via: "key", ...key, connectionIds: null }])
      )
      return hashes.map((hash) => Exit.succeed(Option.fromUndefinedOr(found.get(hash))))
    }
  )
}
