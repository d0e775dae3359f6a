import { PgTypes } from "@effect/sql-pg"
import { Clock, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { ConnectionRepo } from "../../src/Connections/ConnectionRepo.ts"
import type { NewGrant } from "../../src/Domain/Access/Grant.ts"
import { Grants } from "../../src/Features/AgentAccess/Grants.ts"
import { generateGrantToken, hashToken } from "../../src/Secrets/IssuedSecrets.ts"

export interface NewToken {
  readonly grantId: string
  readonly scope?: string | null
  readonly kind?: string
  /** Milliseconds from the current time. */
  readonly expiresIn?: number
  readonly consumed?: boolean
  readonly token?: Redacted.Redacted
}

export const newToken = Effect.fn("newToken")(function*(options: NewToken) {
  const { consumed = false, expiresIn = 86_400_000, grantId, kind = "AccessToken", scope = "read write" } = options
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const token = options.token ?? generateGrantToken("access")
  yield* sql`INSERT INTO oauth_tokens ${
    sql.insert({
      kind,
      hash: Buffer.from(hashToken(token), "hex"),
      grant_id: grantId,
      scope,
      payload: PgTypes.jsonb({}),
      created_at: new Date(now),
      expires_at: new Date(now + expiresIn),
      consumed_at: consumed ? new Date(now) : null
    })
  }`
  return token
}, Effect.orDie)

export const newGrant = Effect.fn("newGrant")(
  function*(grant: Partial<NewGrant> & Pick<NewGrant, "memberId">) {
    const grants = yield* Grants
    const created = yield* grants.create({
      agent: { name: "Reporter", clientId: "https://agent.example/client.json" },
      access: "read_only",
      connectionIds: null,
      ...grant
    })
    return { grant: created, token: Redacted.value(yield* newToken({ grantId: created.id })) }
  },
  Effect.provide(Grants.layer.pipe(Layer.provide(ConnectionRepo.layer), Layer.fresh)),
  Effect.orDie
)
