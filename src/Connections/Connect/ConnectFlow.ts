import { Clock, Context, Duration, Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { hash, randomBytes } from "node:crypto"
import { CredentialsRejected, Forbidden, InvalidInput, type ProviderError } from "../../Api/Errors.ts"
import { Audit } from "../../Audit/Audit.ts"
import type { Connection } from "../../Domain/Connection.ts"
import { ClientId, ConnectionId, ConnectLinkId } from "../../Domain/Ids.ts"
import type { ReEncryption } from "../../Domain/ReEncryption.ts"
import { Actor, CurrentActor } from "../../Domain/Request/Actor.ts"
import { identityOf } from "../../Providers/IdentityProvider.ts"
import { OAuth } from "../../Providers/OAuth/OAuth.ts"
import type { Provider } from "../../Providers/Provider.ts"
import { reEncryptRows } from "../../Secrets/ReEncryptRows.ts"
import { Encrypted, Vault } from "../../Secrets/Vault.ts"
import { ownBaseUrl } from "../../Settings.ts"
import { textArray } from "../../Sql/BulkStatement.ts"
import { rowsOf } from "../../Sql/Rows.ts"
import { connectionCreated, credentialsReplaced } from "../ConnectionChanges.ts"
import { ConnectionRepo } from "../ConnectionRepo.ts"
import { makeMayConnect } from "../ConnectRights.ts"
import { serializeTokens } from "../Credentials.ts"
import { ConnectRefused } from "./ConnectRefused.ts"
import { browserHash, PendingConnections, type Visitor } from "./PendingConnections.ts"

const stateLifetime = Duration.minutes(10)

/** Far more than are pending at any time: a sign-in expires after ten minutes. */
const maxSignIns = 1000

export interface ConnectStart {
  readonly connectionId: ConnectionId | null
  readonly provider: Provider
  readonly clientId: ClientId | null
  readonly label: string
  readonly scopes: ReadonlyArray<string>
  readonly visit?: LinkVisit
}

export interface LinkVisit extends Visitor {
  readonly token: Redacted.Redacted
  readonly opener: string | null
}

export interface ConnectCallback {
  readonly state: string
  readonly code: Redacted.Redacted | undefined
  readonly error: string | undefined
  readonly browser: Redacted.Redacted | undefined
  readonly find: (id: string) => Effect.Effect<Provider>
}

export interface LinkReturn {
  readonly token: Redacted.Redacted
  readonly provider: string
  readonly opener: string | null
}

export type FinishedSignIn =
  | { readonly _tag: "Connected"; readonly connection: Connection }
  | { readonly _tag: "Pending"; readonly back: LinkReturn }
  | {
    readonly _tag: "Refused"
    readonly back: LinkReturn
    readonly error: ConnectRefused | InvalidInput | ProviderError
  }

export class ConnectFlow extends Context.Service<ConnectFlow, {
  readonly start: (start: ConnectStart) => Effect.Effect<string, InvalidInput>
  /** A sign-in of a link can finish only in the browser that began it. */
  readonly finish: (
    callback: ConnectCallback
  ) => Effect.Effect<FinishedSignIn, ConnectRefused | Forbidden | InvalidInput | ProviderError>
  /** The sign-ins under way that would reconnect the connection can no longer finish. */
  readonly abandon: (connectionId: ConnectionId) => Effect.Effect<void>
  readonly reEncryption: ReEncryption
}>()("openaccounts/Connections/Connect/ConnectFlow") {
  static readonly layerNoDeps = Layer.effect(
    ConnectFlow,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const vault = yield* Vault
      const oauth = yield* OAuth
      const connections = yield* ConnectionRepo
      const pendings = yield* PendingConnections
      const audit = yield* Audit
      const mayConnect = yield* makeMayConnect
      const redirectUri = `${yield* ownBaseUrl}/connect/callback`

      const redeem = Effect.fnUntraced(function*(state: string, browser: Redacted.Redacted | undefined) {
        const since = new Date((yield* Clock.currentTimeMillis) - Duration.toMillis(stateLifetime))
        const own = browser === undefined
          ? sql`browser_hash IS NULL`
          : sql`(browser_hash IS NULL OR browser_hash = ${browserHash(browser)})`
        const rows = yield* authorizations.all(sql`
          DELETE FROM authorizations WHERE (state_hash = ${sha256(state)} AND ${own}) OR created_at < ${since}
          RETURNING connection_id AS "connectionId", client_id AS "clientId", provider, label, scopes, code_verifier AS bytes,
            encryption_key_id AS "encryptionKeyId", link_id AS "linkId", opener,
            json_build_object('type', actor_type, 'member_id', member_id) AS actor, state_hash = ${
          sha256(state)
        } AND created_at >= ${since} AS current`)
        return rows.find(({ current }) => current)
      })

      const grant = Effect.fnUntraced(
        function*(
          { code, error }: ConnectCallback,
          { codeVerifier, provider, scopes }: {
            readonly codeVerifier: Redacted.Redacted
            readonly provider: Provider
            readonly scopes: ReadonlyArray<string>
          }
        ) {
          if (error !== undefined) return yield* notGranted(error)
          if (code === undefined) return yield* new InvalidInput({ details: [noCode] })
          const identity = yield* identityOf(provider)
          const tokens = yield* oauth.exchangeCode({ identity, code, redirectUri, codeVerifier }).pipe(
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
          return {
            authType: "oauth" as const,
            credentials: serializeTokens(tokens, tokens.refreshToken),
            externalAccount: account ?? null,
            scopes: tokens.scopes ?? scopes
          }
        }
      )

      const finishVisit = Effect.fnUntraced(
        function*(callback: ConnectCallback, authorization: Authorization, visitor: Visitor) {
          const { opener, scopes } = authorization
          const provider = yield* callback.find(authorization.provider)
          const sealed = yield* Effect.orDie(Effect.flatMap(vault.decrypt(provider.id, authorization), decodeVisit))
          const back: LinkReturn = { token: sealed.token, provider: provider.id, opener }
          return yield* grant(callback, { codeVerifier: sealed.codeVerifier, provider, scopes }).pipe(
            Effect.tap((granted) => requireScopes(scopes, granted.scopes)),
            Effect.flatMap((granted) => pendings.hold({ ...visitor, ...granted, provider: provider.id, opener })),
            Effect.match({
              onFailure: (error): FinishedSignIn => ({ _tag: "Refused", back, error }),
              onSuccess: (): FinishedSignIn => ({ _tag: "Pending", back })
            })
          )
        }
      )

      /** Returns the status of the connection that is reconnected. */
      const requireRights = Effect.fnUntraced(function*({ actor, clientId, connectionId }: Authorization) {
        if (!(yield* mayConnect(actor, clientId))) return yield* new Forbidden({ message: rightsLost })
        if (connectionId === null) return undefined
        const connection = yield* Effect.orDie(Effect.flatMap(connections.find(connectionId), Effect.fromOption))
        if (connection.client_id !== clientId) return yield* connectionChanged()
        return connection.status
      })

      const finishOperator = Effect.fnUntraced(function*(callback: ConnectCallback, authorization: Authorization) {
        const { actor, clientId, connectionId, label, scopes } = authorization
        const provider = yield* callback.find(authorization.provider)
        const codeVerifier = yield* Effect.orDie(vault.decrypt(provider.id, authorization))
        const statusBefore = yield* requireRights(authorization)
        const granted = yield* grant(callback, { codeVerifier, provider, scopes })
        const requireSame = Effect.filterOrFail(
          requireRights(authorization),
          (status) => status === statusBefore || status !== "revoked",
          connectionChanged
        )
        const change = connectionId === null
          ? audit.change(
            Effect.andThen(
              requireSame,
              connections.create({ ...granted, provider: provider.id, clientId, label })
            ),
            connectionCreated
          )
          : audit.change(
            Effect.andThen(requireSame, connections.reconnect(connectionId, granted)),
            credentialsReplaced
          ).pipe(Effect.flatMap(Effect.fromOption), Effect.catchTag("NoSuchElementError", Effect.die))
        return yield* Effect.provideService(change, CurrentActor, actor)
      })

      const encryptedSignIns = yield* reEncryptRows({
        table: "authorizations",
        id: sql`encode(state_hash, 'hex')`,
        bytes: "code_verifier",
        columns: sql`, provider`,
        rows: encryptedVerifiers.all,
        decrypt: (row) => vault.decrypt(row.provider, row),
        encrypt: (row, text) => vault.encrypt(row.provider, text)
      })

      return ConnectFlow.of({
        reEncryption: {
          ...encryptedSignIns,
          reEncrypt: Effect.fnUntraced(function*() {
            const since = new Date((yield* Clock.currentTimeMillis) - Duration.toMillis(stateLifetime))
            yield* Effect.orDie(sql`DELETE FROM authorizations WHERE created_at < ${since}`)
            const page = yield* encryptedSignIns.reEncrypt({ limit: maxSignIns })
            return { ...page, cursor: null }
          })
        },

        start: Effect.fn("ConnectFlow.start")(function*({ clientId, connectionId, label, provider, scopes, visit }) {
          const state = randomBytes(32).toString("base64url")
          const codeVerifier = Redacted.make(randomBytes(32).toString("base64url"))
          const identity = yield* Effect.mapError(identityOf(provider), notConfigured)
          const url = yield* oauth.authorizeUrl({
            identity,
            scopes,
            redirectUri,
            state,
            codeChallenge: sha256(Redacted.value(codeVerifier)).toString("base64url")
          }).pipe(Effect.mapError(notConfigured))
          const encrypted = vault.encrypt(
            provider.id,
            visit === undefined ? codeVerifier : encodeVisit({ codeVerifier, token: visit.token })
          )
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
              link_id: visit?.linkId ?? null,
              browser_hash: visit === undefined ? null : browserHash(visit.browser),
              opener: visit?.opener ?? null,
              actor_type: actor.type,
              member_id: actor.member_id,
              encryption_key_id: encrypted.encryptionKeyId,
              created_at: new Date(yield* Clock.currentTimeMillis)
            })
          }`)
          return url
        }),

        abandon: Effect.fn("ConnectFlow.abandon")((connectionId) =>
          Effect.orDie(Effect.asVoid(sql`DELETE FROM authorizations WHERE connection_id = ${connectionId}`))
        ),

        finish: Effect.fn("ConnectFlow.finish")(function*(callback) {
          const { browser, state } = callback
          const authorization = yield* redeem(state, browser)
          if (authorization === undefined) return yield* new ConnectRefused({ reason: "sign_in_over", message: over })
          const { linkId } = authorization
          return linkId === null || browser === undefined
            ? { _tag: "Connected", connection: yield* finishOperator(callback, authorization) }
            : yield* finishVisit(callback, authorization, { linkId, browser })
        })
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(PendingConnections.layer))
}

const Authorization = Schema.Struct({
  ...Encrypted.fields,
  connectionId: Schema.NullOr(ConnectionId),
  clientId: Schema.NullOr(ClientId),
  provider: Schema.String,
  label: Schema.String,
  scopes: Schema.Array(Schema.String),
  linkId: Schema.NullOr(ConnectLinkId),
  opener: Schema.NullOr(Schema.String),
  actor: Actor,
  current: Schema.Boolean
})
type Authorization = typeof Authorization.Type
const authorizations = rowsOf(Authorization)
const encryptedVerifiers = rowsOf(
  Schema.Struct({ ...Encrypted.fields, id: Schema.String, provider: Schema.String })
)

/** The table of links holds no token, so the state carries it. */
const VisitSecrets = Schema.fromJsonString(Schema.Struct({
  codeVerifier: Schema.RedactedFromValue(Schema.String),
  token: Schema.RedactedFromValue(Schema.String)
}))
const encodeVisit = (secrets: typeof VisitSecrets.Type) => Redacted.make(Schema.encodeSync(VisitSecrets)(secrets))
const decodeVisit = (text: Redacted.Redacted) => Schema.decodeEffect(VisitSecrets)(Redacted.value(text))

/** Google lets a person grant only some of the scopes. */
const requireScopes = (asked: ReadonlyArray<string>, granted: ReadonlyArray<string>) =>
  asked.every((scope) => granted.includes(scope))
    ? Effect.void
    : Effect.fail(
      new ConnectRefused({
        reason: "scope_missing",
        message: "A part of the access was left out. Allow everything that the provider's page lists"
      })
    )

const noCode = { path: ["code"], message: "The provider sent no code" }

const over = "This sign-in is unknown, was used before, took longer than 10 minutes, or began in another browser"

const rightsLost = "The member who began this sign-in may no longer connect accounts here. Nothing was connected."

const changed = "The connection was revoked or got another client after this sign-in began. Nothing was connected."

const connectionChanged = () =>
  new InvalidInput({ message: changed, details: [{ path: ["connection_id"], message: changed }] })

const sha256 = (text: string): Buffer => hash("sha256", text, "buffer")

const notGranted = (error: string) =>
  new ConnectRefused({
    reason: error === "access_denied" ? "denied" : "provider_error",
    message: `Access was not granted: ${error.slice(0, 200)}`
  })

const notConfigured = ({ message }: { readonly message: string }) =>
  new InvalidInput({ details: [{ path: ["provider"], message }] })
