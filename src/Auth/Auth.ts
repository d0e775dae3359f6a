import { PgTypes } from "@effect/sql-pg"
import { Clock, Context, Duration, Effect, Exit, identity, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Forbidden, Unauthenticated } from "../Api/Errors.ts"
import type { Budget } from "../Domain/Access/Budget.ts"
import { type AccessLevel, holderIdOf, type KeyPrincipal, type Principal } from "../Domain/Access/Principal.ts"
import { type Rights, rightsOf } from "../Domain/Access/Rights.ts"
import type { ClientId, ConnectionId, GrantId, HolderId, KeyId, MemberId, SessionId } from "../Domain/Ids.ts"
import type { Role } from "../Domain/Member.ts"
import { sessionIdle, sessionLifetime } from "../Domain/Session.ts"
import { hashToken, isApiKey, isGrantToken, isToken } from "../Secrets/IssuedSecrets.ts"
import { makeBatcher } from "../Sql/Batcher.ts"
import { array } from "../Sql/BulkStatement.ts"
import { lastUsed } from "../Sql/LastUsed.ts"
import { cachedLookup } from "../Sql/Notify/CachedLookup.ts"
import type { Credential } from "./Credential.ts"
import { rightsColumns } from "./RightsColumns.ts"

/** Preallocated: avoids a stack trace per rejected key. */
const unauthenticated = Effect.fail(new Unauthenticated())
const holderEnded = Effect.fail(
  new Unauthenticated({ message: "The key, grant or session that asked for this has ended." })
)
const signedOut = Effect.fail(new Unauthenticated({ message: "Your session has ended. Sign in again." }))
const forged = Effect.fail(
  new Forbidden({
    message: "A request with a session that is not GET or HEAD must come from the service's own pages. " +
      "Other programs use an API key."
  })
)

export class Auth extends Context.Service<Auth, {
  readonly authenticate: (credential: Credential | undefined) => Effect.Effect<Principal, Unauthenticated | Forbidden>
  /** The current rights of a key, grant or session, for a call that it asked for earlier. */
  readonly ofHolder: (id: HolderId) => Effect.Effect<Principal, Unauthenticated>
}>()("openaccounts/Auth/Auth") {
  static readonly layer = Layer.effect(
    Auth,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const touchKey = yield* lastUsed("keys", Duration.seconds(60))
      const touchSession = yield* lastUsed("sessions", Duration.seconds(60))
      const touchGrant = yield* lastUsed("grants", Duration.seconds(60))

      const findPrincipal = yield* cachedLookup(
        ["keys", "sessions", "grants", "members"],
        yield* makeBatcher((hashes: ReadonlyArray<string>) => Effect.orDie(findPrincipals(sql, hashes))),
        identity
      )

      const touch = (principal: Principal) => {
        switch (principal.via) {
          case "key":
            return touchKey(principal.keyId)
          case "session":
            return touchSession(principal.sessionId)
          case "grant":
            return touchGrant(principal.grantId)
        }
      }

      return Auth.of({
        ofHolder: Effect.fnUntraced(function* ofHolder(id) {
          const [row] = yield* Effect.orDie(findHolder(sql, id, new Date(yield* Clock.currentTimeMillis)))
          return row === undefined ? yield* holderEnded : toPrincipal(row)
        }),

        authenticate: (credential) => {
          if (credential === undefined || !isWellFormed(credential)) return refuse(credential)
          return Effect.clockWith((clock) =>
            Effect.flatMap(
              findPrincipal(hashToken(credential.token)),
              (found): Effect.Effect<Principal, Unauthenticated | Forbidden> =>
                Option.isNone(found) || found.value.expiresAtMillis <= clock.currentTimeMillisUnsafe()
                  ? refuse(credential)
                  : Effect.tap(grantAccess(found.value.principal, credential), touch)
            )
          )
        }
      })
    })
  )

  static readonly layerMemory = (
    keys: ReadonlyArray<{ readonly key: Redacted.Redacted; readonly principal: Principal }>
  ) => {
    const principals = new Map(keys.map(({ key, principal }) => [Redacted.value(key), principal]))
    return Layer.succeed(Auth, {
      ofHolder: (id) => {
        const found = keys.find(({ principal }) => holderIdOf(principal) === id)
        return found === undefined ? holderEnded : Effect.succeed(found.principal)
      },
      authenticate: (credential) => {
        if (credential === undefined) return unauthenticated
        const principal = principals.get(Redacted.value(credential.token))
        return principal === undefined ? refuse(credential) : grantAccess(principal, credential)
      }
    })
  }
}

const isWellFormed = ({ token, type }: Credential): boolean =>
  type === "bearer" ? isApiKey(token) || isGrantToken("access", token) : isToken("session", token)

const refuse = (credential: Credential | undefined) => credential?.type === "cookie" ? signedOut : unauthenticated

/** All uses of a session pass here, so this guards every interface against forged requests. */
const grantAccess = (
  principal: Principal,
  credential: Credential
): Effect.Effect<Principal, Forbidden> => {
  if (credential.type === "bearer") return Effect.succeed(principal)
  return credential.mayBeForged ? forged : Effect.succeed({ ...principal, access: credential.access })
}

interface Found {
  readonly principal: Principal
  /** `Infinity` for a key without an expiry. Other credentials expire in the database only, up to 500 ms late. */
  readonly expiresAtMillis: number
}

type Row =
  & CommonColumns
  & (
    | {
      readonly via: "key"
      readonly id: KeyId
      readonly expiresAt: Date | null
      readonly manage: KeyPrincipal["manage"]
      readonly manageAs: Role
    }
    | { readonly via: "session"; readonly id: SessionId }
    | { readonly via: "grant"; readonly id: GrantId }
  )

interface CommonColumns extends Rights {
  readonly hash: string
  readonly access: AccessLevel
  readonly memberId: MemberId
  readonly clientIds: ReadonlyArray<ClientId> | null
  readonly role: Role
  readonly connectionIds: ReadonlyArray<ConnectionId> | null
  readonly memberBudget: Budget
  readonly boundedAt: Date | null
}

/** Columns of `CommonColumns`. Each part of a union has them in this order. */
const keyRights = (sql: SqlClient.SqlClient) =>
  sql`
      members.id AS "memberId", members.client_ids AS "clientIds", members.role, NULL::text[] AS "connectionIds",
      ${rightsColumns(sql, "keys.")}, members.budget AS "memberBudget",
      keys.bounded_at AS "boundedAt", keys.expires_at AS "expiresAt", keys.manage, keys.manage_as AS "manageAs"`

const sessionRights = (sql: SqlClient.SqlClient) =>
  sql`
      members.id, members.client_ids, members.role, NULL, NULL, 'allow', false, NULL, members.budget, NULL, NULL, NULL, NULL
    FROM sessions JOIN members ON members.id = sessions.member_id`

const grantRights = (sql: SqlClient.SqlClient) =>
  sql`
      members.id, members.client_ids, members.role, grants.connection_ids,
      ${rightsColumns(sql, "grants.")}, members.budget, grants.bounded_at, NULL, NULL, NULL`

const findPrincipals = Effect.fnUntraced(
  function* findPrincipals(sql: SqlClient.SqlClient, hashes: ReadonlyArray<string>) {
    const bytes = hashes.map((hash) => Buffer.from(hash, "hex"))
    // Postgres estimates ten matches for any array and may then scan all members. One hash as a scalar takes 20 %
    // of the time.
    const isAsked = bytes.length === 1 ? sql`= ${bytes[0]}` : sql`= ANY(${array(bytes, PgTypes.OID.bytea)})`
    const now = yield* Clock.currentTimeMillis
    const rows = yield* sql<Row>`
    SELECT encode(keys.hash, 'hex') AS hash, 'key' AS via, keys.id, keys.access,
      ${keyRights(sql)}
    FROM keys JOIN members ON members.id = keys.member_id
    WHERE keys.hash ${isAsked} AND keys.revoked_at IS NULL
      AND (keys.expires_at IS NULL OR keys.expires_at > ${new Date(now)})
    UNION ALL
    SELECT encode(sessions.hash, 'hex'), 'session', sessions.id, 'read_only', ${sessionRights(sql)}
    WHERE sessions.hash ${isAsked} AND ${isOpen(sql, now)}
    UNION ALL
    SELECT encode(tokens.hash, 'hex'), 'grant', grants.id,
      CASE WHEN 'write' = ANY(string_to_array(tokens.scope, ' ')) THEN grants.access ELSE 'read_only' END,
      ${grantRights(sql)}
    FROM oauth_tokens AS tokens
      JOIN grants ON grants.id = tokens.grant_id
      JOIN members ON members.id = grants.member_id
    WHERE tokens.kind = 'AccessToken' AND tokens.hash ${isAsked}
      AND tokens.expires_at > ${new Date(now)} AND tokens.consumed_at IS NULL AND grants.revoked_at IS NULL`
    const found = new Map(rows.map((row): [string, Found] => [row.hash, {
      principal: toPrincipal(row),
      expiresAtMillis: row.via === "key" && row.expiresAt !== null ? row.expiresAt.getTime() : Infinity
    }]))
    return hashes.map((hash) => Exit.succeed(Option.fromUndefinedOr(found.get(hash))))
  }
)

const findHolder = (sql: SqlClient.SqlClient, id: HolderId, now: Date) =>
  sql<Row>`
    SELECT '' AS hash, 'key' AS via, keys.id, keys.access,
      ${keyRights(sql)}
    FROM keys JOIN members ON members.id = keys.member_id
    WHERE keys.id = ${id} AND keys.revoked_at IS NULL AND (keys.expires_at IS NULL OR keys.expires_at > ${now})
    UNION ALL
    SELECT '', 'grant', grants.id, grants.access,
      ${grantRights(sql)}
    FROM grants JOIN members ON members.id = grants.member_id
    WHERE grants.id = ${id} AND grants.revoked_at IS NULL
    UNION ALL
    SELECT '', 'session', sessions.id, 'read_only', ${sessionRights(sql)}
    WHERE sessions.id = ${id} AND ${isOpen(sql, now.getTime())}`

const isOpen = (sql: SqlClient.SqlClient, now: number) =>
  sql`
      sessions.last_used_at > ${new Date(now - Duration.toMillis(sessionIdle))}
      AND sessions.created_at > ${new Date(now - Duration.toMillis(sessionLifetime))}`

const toPrincipal = (row: Row): Principal => {
  const { access, boundedAt, clientIds, connectionIds, memberBudget, memberId, role } = row
  const rights = { memberId, access, clientIds, connectionIds, memberBudget, boundedAt, ...rightsOf(row) }
  switch (row.via) {
    case "key":
      return { via: row.via, keyId: row.id, manage: row.manage, manageAs: row.manageAs, ...rights }
    case "session":
      return { via: row.via, sessionId: row.id, role, ...rights }
    case "grant":
      return { via: row.via, grantId: row.id, ...rights }
  }
}
