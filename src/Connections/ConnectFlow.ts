import { Clock, Context, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { hash, randomBytes } from "node:crypto"
import { CredentialsRejected, InvalidInput, type ProviderError } from "../Api/Errors.ts"
import { Actor, CurrentActor } from "../Domain/Actor.ts"
import type { Connection } from "../Domain/Connection.ts"
import { ClientId, ConnectionId } from "../Domain/Ids.ts"
import { Audit, type AuditedChange } from "../Members/Audit.ts"
import { identityOf } from "../Providers/OAuth/IdentityProvider.ts"
import { OAuth } from "../Providers/OAuth/OAuth.ts"
import type { Provider } from "../Providers/Provider.ts"
import { ownBaseUrl } from "../Settings.ts"
import { textArray } from "../Sql/BulkInsert.ts"
import { rowsOf } from "../Sql/Rows.ts"
import { ConnectionRepo } from "./ConnectionRepo.ts"
import { serializeTokens } from "./Credentials.ts"
import { Encrypted, Vault } from "./Vault.ts"

/** Contract section 10. */
export const stateLifetime = Duration.minutes(10)

export interface ConnectStart {
  /** The connection that gets the new tokens; `null` for a new connection. */
  readonly connectionId: ConnectionId | null
  readonly provider: Provider
  readonly clientId: ClientId | null
  readonly label: string
  readonly scopes: ReadonlyArray<string>
}

export class ConnectFlow extends Context.Service<ConnectFlow, {
  readonly start: (start: ConnectStart) => Effect.Effect<string, InvalidInput>
  readonly finish: (options: {
    readonly state: string
    readonly code: Redacted.Redacted | undefined
    readonly error: string | undefined
    readonly find: (id: string) => Effect.Effect<Provider>
  }) => Effect.Effect<Connection, InvalidInput | ProviderError>
}>()("openaccounts/Connections/ConnectFlow") {
  static readonly layer = Layer.effect(
    ConnectFlow,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const vault = yield* Vault
      const oauth = yield* OAuth
      const connections = yield* ConnectionRepo
      const audit = yield* Audit
      const redirectUri = `${yield* ownBaseUrl}/connect/callback`

      const redeem = Effect.fnUntraced(function*(state: string) {
        const since = new Date((yield* Clock.currentTimeMillis) - Duration.toMillis(stateLifetime))
        const rows = yield* authorizations.all(sql`
          DELETE FROM authorizations WHERE state_hash = ${sha256(state)} OR created_at < ${since}
          RETURNING connection_id AS "connectionId", client_id AS "clientId", provider, label, scopes, code_verifier AS bytes,
            encryption_key_id AS "encryptionKeyId",
            json_build_object('type', coalesce(actor_type, 'token'), 'member_id', member_id) AS actor, state_hash = ${
          sha256(state)
        } AND created_at >= ${since} AS current`)
        return rows.find(({ current }) => current)
      })

      return ConnectFlow.of({
        start: Effect.fn("ConnectFlow.start")(function*({ clientId, connectionId, label, provider, scopes }) {
          const state = randomBytes(32).toString("base64url")
          const codeVerifier = randomBytes(32).toString("base64url")
          const identity = yield* Effect.mapError(identityOf(provider), notConfigured)
          const url = yield* oauth.authorizeUrl({
            identity,
            scopes,
            redirectUri,
            state,
            codeChallenge: sha256(codeVerifier).toString("base64url")
          }).pipe(Effect.mapError(notConfigured))
          const encrypted = vault.encrypt(provider.id, Redacted.make(codeVerifier))
          const actor = yield* CurrentActor
          yield* Effect.orDie(sql`
            INSERT INTO authorizations ${
            sql.insert({
              state_hash: sha256(state),
              connection_id: connectionId,
              client_id: clientId,
              provider: provider.id,
              label,
              scopes: textArray(scopes),
              code_verifier: encrypted.bytes,
              actor_type: actor.type,
              member_id: actor.member_id,
              encryption_key_id: encrypted.encryptionKeyId,
              created_at: new Date(yield* Clock.currentTimeMillis)
            })
          }`)
          return url
        }),

        finish: Effect.fn("ConnectFlow.finish")(function*({ code, error, find, state }) {
          const authorization = yield* redeem(state)
          if (authorization === undefined) {
            return yield* invalidInput(
              "state",
              "This sign-in is unknown, was used before, or took longer than 10 minutes"
            )
          }
          if (error !== undefined) return yield* invalidInput("error", `Access was not granted: ${error.slice(0, 200)}`)
          if (code === undefined) return yield* invalidInput("code", "The provider sent no code")

          const provider = yield* find(authorization.provider)
          const codeVerifier = yield* vault.decrypt(provider.id, authorization)
          const identity = yield* identityOf(provider)
          const tokens = yield* oauth.exchangeCode({ identity, code, redirectUri, codeVerifier })
            .pipe(
              Effect.catchTag("OAuthNotConfigured", (missing) => Effect.fail(notConfigured(missing)))
            )
          if (tokens.refreshToken === undefined) {
            return yield* new CredentialsRejected({
              message: "The provider sent no refresh token; remove this application's access at the provider and retry."
            })
          }
          const account = yield* Effect.catch(
            oauth.account(identity, tokens.accessToken),
            (error) =>
              Effect.as(Effect.logWarning("Could not read the account name of a new connection", error), undefined)
          )
          const granted = {
            authType: "oauth" as const,
            credentials: serializeTokens(tokens, tokens.refreshToken),
            externalAccount: account ?? null,
            scopes: tokens.scopes ?? authorization.scopes
          }
          const { actor, clientId, connectionId, label } = authorization
          const change = connectionId === null
            ? audit.change(
              connections.create({ ...granted, provider: provider.id, clientId, label }),
              connectionCreated
            )
            : Effect.flatMap(
              audit.change(connections.reconnect(connectionId, granted), credentialsReplaced),
              Effect.fromOption
            )
          return yield* Effect.orDie(Effect.provideService(change, CurrentActor, actor))
        })
      })
    })
  )
}

const authorizations = rowsOf(Schema.Struct({
  ...Encrypted.fields,
  connectionId: Schema.NullOr(ConnectionId),
  clientId: Schema.NullOr(ClientId),
  provider: Schema.String,
  label: Schema.String,
  scopes: Schema.Array(Schema.String),
  actor: Actor,
  current: Schema.Boolean
}))

export const connectionCreated = (connection: Connection): ReadonlyArray<AuditedChange> => {
  const { auth_type, client_id, external_account, id, label, provider, scopes } = connection
  return [{
    action: "connection.created",
    subject: id,
    details: { provider, auth_type, client_id, label, external_account, scopes },
    event: { type: "connection.created", data: { connection } }
  }]
}

export const credentialsReplaced = (
  reconnected: Option.Option<Connection>
): ReadonlyArray<AuditedChange> =>
  Option.match(reconnected, {
    onNone: () => [],
    onSome: (connection) => [{
      action: "connection.credentials_replaced",
      subject: connection.id,
      details: { auth_type: connection.auth_type, external_account: connection.external_account },
      event: { type: "connection.reconnected", data: { connection } }
    }]
  })

const sha256 = (text: string): Buffer => hash("sha256", text, "buffer")

const invalidInput = (parameter: string, message: string) =>
  new InvalidInput({ details: [{ path: [parameter], message }] })

const notConfigured = ({ message }: { readonly message: string }) => invalidInput("provider", message)
