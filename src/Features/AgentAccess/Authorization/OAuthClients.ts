import { Clock, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CurrentAddress } from "../../../Domain/Request/CurrentAddress.ts"
import { networkOf } from "../../../Domain/Request/Network.ts"
import { advisoryLock, withLock } from "../../../Sql/AdvisoryLock.ts"
import { rowsOf } from "../../../Sql/Rows.ts"
import { sweepTable } from "../../../Sql/Sweep.ts"

const lock = advisoryLock("oauthClients", 7_226_928)

const unusedLifetime = Duration.hours(1)
const maxUnused = 1000

/** Longer than a refresh token lives. Each refresh renews it. */
const usedLifetime = Duration.days(90)
const renewalInterval = Duration.days(1)

export const ClientMetadata = Schema.Struct({
  client_id: Schema.String,
  client_id_issued_at: Schema.Number.pipe(Schema.optionalKey),
  client_name: Schema.String.pipe(Schema.optionalKey),
  client_uri: Schema.String.pipe(Schema.optionalKey),
  redirect_uris: Schema.Array(Schema.String),
  application_type: Schema.Literals(["native"]),
  grant_types: Schema.Array(Schema.String),
  response_types: Schema.Array(Schema.Literals(["code"])),
  token_endpoint_auth_method: Schema.Literals(["none"])
})
export type ClientMetadata = typeof ClientMetadata.Type

/** Agents that registered themselves (RFC 7591). */
export class OAuthClients extends Context.Service<OAuthClients, {
  /**
   * Keeps at most 1,000 unused registrations. Beyond that, the network that has most of them loses its oldest one, so
   * that a flood from a few networks does not displace those of others.
   */
  readonly register: (metadata: unknown) => Effect.Effect<void>
  readonly find: (id: string) => Effect.Effect<Option.Option<ClientMetadata>>
  readonly renew: (id: string) => Effect.Effect<void>
}>()("openaccounts/Features/AgentAccess/Authorization/OAuthClients") {
  static readonly layer = Layer.effect(
    OAuthClients,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      yield* sweepTable({
        lock,
        what: "registrations of agents",
        table: "oauth_clients",
        isOld: (now) => sql`expires_at <= ${now}`
      })

      return OAuthClients.of({
        register: Effect.fn("OAuthClients.register")(function*(metadata) {
          const client = yield* decode(metadata)
          const source = networkOf((yield* CurrentAddress) ?? "")
          const now = yield* Clock.currentTimeMillis
          const lifetime = Duration.toMillis(unusedLifetime)
          const isUnused = sql`expires_at > ${new Date(now)} AND expires_at <= ${new Date(now + lifetime)}
            AND expires_at <= created_at + ${`${lifetime} milliseconds`}::interval`
          yield* withLock(
            lock,
            Effect.andThen(
              sql`INSERT INTO oauth_clients (id, metadata, source, created_at, expires_at)
                VALUES (${client.client_id}, ${JSON.stringify(client)}::jsonb, ${source}, ${new Date(now)},
                  ${new Date(now + lifetime)})`,
              sql`DELETE FROM oauth_clients WHERE id IN (
                SELECT id FROM oauth_clients WHERE ${isUnused}
                ORDER BY count(*) OVER (PARTITION BY source) DESC, created_at, id
                LIMIT (SELECT greatest(count(*) - ${maxUnused}::int, 0) FROM oauth_clients WHERE ${isUnused})
              )`
            )
          ).pipe(Effect.provideService(SqlClient.SqlClient, sql))
        }, Effect.orDie),

        find: Effect.fn("OAuthClients.find")(function*(id) {
          // Postgres refuses NUL.
          if (id.includes("\0")) return Option.none()
          const now = new Date(yield* Clock.currentTimeMillis)
          const row = yield* rows.first(
            sql`SELECT metadata FROM oauth_clients WHERE id = ${id} AND expires_at > ${now}`
          )
          return Option.map(row, ({ metadata }) => metadata)
        }),

        renew: Effect.fn("OAuthClients.renew")(function*(id) {
          const now = yield* Clock.currentTimeMillis
          const later = now + Duration.toMillis(usedLifetime)
          yield* sql`UPDATE oauth_clients SET expires_at = ${new Date(later)}
            WHERE id = ${id} AND expires_at < ${new Date(later - Duration.toMillis(renewalInterval))}`
        }, Effect.orDie)
      })
    })
  )
}

const decode = Schema.decodeUnknownEffect(ClientMetadata)

const rows = rowsOf(Schema.Struct({ metadata: ClientMetadata }))
