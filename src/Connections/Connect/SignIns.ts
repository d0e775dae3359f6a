import { Clock, Duration, Effect, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import { ClientId, ConnectionId, ConnectLinkId } from "../../Domain/Ids.ts"
import { Actor, CurrentActor } from "../../Domain/Request/Actor.ts"
import { reEncryptRows } from "../../Secrets/ReEncryptRows.ts"
import type { StoredSecrets } from "../../Secrets/StoredSecrets.ts"
import { Encrypted, Vault } from "../../Secrets/Vault.ts"
import { advisoryLock } from "../../Sql/AdvisoryLock.ts"
import { textArray } from "../../Sql/BulkStatement.ts"
import { rowsOf } from "../../Sql/Rows.ts"
import { sweepTable } from "../../Sql/Sweep.ts"

const lock = advisoryLock("authorizations")

const lifetime = Duration.minutes(10)

/** Sign-ins expire, so far fewer are under way at any time. */
const maxSignIns = 1000

/** A person without an account in this service who connects an account, in one browser. */
export interface Visitor {
  readonly linkId: ConnectLinkId
  readonly browser: Redacted.Redacted
}

export interface NewSignIn {
  readonly state: string
  readonly connectionId: ConnectionId | null
  readonly clientId: ClientId | null
  readonly providers: readonly [string, ...ReadonlyArray<string>]
  readonly label: string
  readonly scopes: ReadonlyArray<string>
  readonly secret: Redacted.Redacted
  readonly visit: Visitor & { readonly opener: string | null } | undefined
}

const SignIn = Schema.Struct({
  ...Encrypted.fields,
  connectionId: Schema.NullOr(ConnectionId),
  clientId: Schema.NullOr(ClientId),
  provider: Schema.String,
  furtherProviders: Schema.Array(Schema.String),
  label: Schema.String,
  scopes: Schema.Array(Schema.String),
  linkId: Schema.NullOr(ConnectLinkId),
  opener: Schema.NullOr(Schema.String),
  actor: Actor
})
export type SignIn = typeof SignIn.Type

const signIns = rowsOf(SignIn)
const encryptedSecrets = rowsOf(Schema.Struct({ ...Encrypted.fields, id: Schema.String, provider: Schema.String }))

const sha256 = (text: string): Buffer => hash("sha256", text, "buffer")

export const browserHash = (browser: Redacted.Redacted): Buffer => sha256(Redacted.value(browser))

const oldest = Effect.map(Clock.currentTimeMillis, (now) => new Date(now - Duration.toMillis(lifetime)))

export const signInSecrets: StoredSecrets = {
  cursor: null,
  lost: null,
  reEncryption: Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    const encrypted = yield* reEncryptRows({
      table: "authorizations",
      id: sql`encode(state_hash, 'hex')`,
      bytes: "code_verifier",
      columns: sql`, provider`,
      rows: encryptedSecrets.all,
      decrypt: (row) => vault.decrypt(row.provider, row),
      encrypt: (row, text) => vault.encrypt(row.provider, text)
    })
    return {
      ...encrypted,
      reEncrypt: Effect.fnUntraced(function*() {
        yield* Effect.orDie(sql`DELETE FROM authorizations WHERE created_at < ${yield* oldest}`)
        const page = yield* encrypted.reEncrypt({ limit: maxSignIns })
        return { ...page, cursor: null }
      })
    }
  })
}

/** The sign-ins under way, in the table `authorizations`. */
export const makeSignIns = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const vault = yield* Vault
  yield* sweepTable({
    lock,
    what: "sign-ins",
    table: "authorizations",
    isOld: (now) => sql`created_at < ${new Date(now.getTime() - Duration.toMillis(lifetime))}`
  })

  return {
    begin: Effect.fnUntraced(function*(signIn: NewSignIn) {
      const { clientId, connectionId, label, providers: [provider, ...others], scopes, secret, state, visit } = signIn
      const { bytes, encryptionKeyId } = vault.encrypt(provider, secret)
      const actor = yield* CurrentActor
      yield* sql`
        INSERT INTO authorizations ${
        sql.insert({
          state_hash: sha256(state),
          connection_id: connectionId,
          client_id: clientId,
          provider,
          further_providers: textArray(others),
          label,
          scopes: textArray(scopes),
          code_verifier: bytes,
          link_id: visit?.linkId ?? null,
          browser_hash: visit === undefined ? null : browserHash(visit.browser),
          opener: visit?.opener ?? null,
          actor_type: actor.type,
          member_id: actor.member_id,
          encryption_key_id: encryptionKeyId,
          created_at: new Date(yield* Clock.currentTimeMillis)
        })
      }`
    }, Effect.orDie),

    /** Returns each sign-in once, and a visitor's only in the browser that began it. */
    redeem: Effect.fnUntraced(function*(state: string, browser: Redacted.Redacted | undefined) {
      const since = yield* oldest
      const own = browser === undefined
        ? sql`browser_hash IS NULL`
        : sql`(browser_hash IS NULL OR browser_hash = ${browserHash(browser)})`
      const redeemed = yield* signIns.first(sql`
        DELETE FROM authorizations WHERE state_hash = ${sha256(state)} AND ${own} AND created_at >= ${since}
        RETURNING connection_id AS "connectionId", client_id AS "clientId", provider,
          further_providers AS "furtherProviders", label, scopes, code_verifier AS bytes,
          encryption_key_id AS "encryptionKeyId", link_id AS "linkId", opener,
          json_build_object('type', actor_type, 'member_id', member_id) AS actor`)
      return Option.getOrUndefined(redeemed)
    }),

    secretOf: (signIn: SignIn) => Effect.orDie(vault.decrypt(signIn.provider, signIn)),

    abandon: (connectionIds: ReadonlyArray<ConnectionId>) =>
      Effect.orDie(Effect.asVoid(
        sql`DELETE FROM authorizations WHERE connection_id = ANY(${textArray(connectionIds)})`
      ))
  }
})
