import { Array as Arr, Clock, Context, Duration, Effect, Layer, Option, type Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type LinkNotFound, LinkOver } from "../../../Api/ManagementErrors.ts"
import { Audit } from "../../../Audit/Audit.ts"
import { makeAuditedCredentials } from "../../../Connections/Connect/AuditedCredentials.ts"
import { ConnectRefused } from "../../../Connections/Connect/ConnectRefused.ts"
import { browserHash, type Visitor } from "../../../Connections/Connect/SignIns.ts"
import { connectionChanged } from "../../../Connections/ConnectionChanges.ts"
import { ConnectionRepo } from "../../../Connections/ConnectionRepo.ts"
import { type Resource, Resources } from "../../../Domain/Access/Resource.ts"
import { AuthType, type Connection, type StoredConnection } from "../../../Domain/Connection.ts"
import { ConnectionId, type ConnectLinkId } from "../../../Domain/Ids.ts"
import { newId } from "../../../Domain/NewId.ts"
import { reEncryptRows } from "../../../Secrets/ReEncryptRows.ts"
import type { StoredSecrets } from "../../../Secrets/StoredSecrets.ts"
import { Encrypted, Vault } from "../../../Secrets/Vault.ts"
import { advisoryLock } from "../../../Sql/AdvisoryLock.ts"
import { textArray } from "../../../Sql/BulkStatement.ts"
import { rowsOf, valuesOf } from "../../../Sql/Rows.ts"
import { sweepTable } from "../../../Sql/Sweep.ts"
import { ConnectLinks, type OpenedLink } from "../ConnectLinks.ts"

const lock = advisoryLock("pendingConnections")

export const pendingLifetime = Duration.minutes(30)

const Pending = Schema.Struct({
  id: Schema.String,
  /** Several only for credentials of one sign-in. */
  providers: Schema.NonEmptyArray(Schema.String),
  authType: AuthType,
  externalAccount: Schema.NullOr(Schema.String),
  signedInAs: Schema.NullOr(Schema.String),
  scopes: Schema.Array(Schema.String),
  /** The bound of the connection, for credentials that the person did not bring. `null`: the person chooses. */
  resources: Resources,
  opener: Schema.NullOr(Schema.String)
})
export type Pending = typeof Pending.Type

export interface NewPending extends Visitor, Omit<Pending, "id" | "signedInAs"> {
  readonly credentials: Redacted.Redacted
  readonly signedInAs?: string | null
}

export interface Confirmation {
  readonly id: string
  readonly token: Redacted.Redacted
  readonly browser: Redacted.Redacted
  /** The label and scopes of the new connection of a provider. */
  readonly describe: (
    link: OpenedLink,
    pending: Pending,
    provider: string
  ) => { readonly label: string; readonly scopes: ReadonlyArray<string> }
  /** What the person allows, by provider. A provider without an entry has no limit, or the one of its connection. */
  readonly resources?: ReadonlyMap<string, ReadonlyArray<Resource>>
}

export interface Confirmed {
  /** In the order of the link's providers. */
  readonly connections: Arr.NonEmptyReadonlyArray<Connection>
  readonly link: OpenedLink
  readonly opener: string | null
}

const oldest = Effect.map(Clock.currentTimeMillis, (now) => new Date(now - Duration.toMillis(pendingLifetime)))

export const pendingSecrets: StoredSecrets = {
  cursor: "pen_",
  lost: null,
  reEncryption: Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const vault = yield* Vault
    const encrypted = yield* reEncryptRows({
      table: "pending_connections",
      id: sql`id`,
      bytes: "credentials",
      columns: sql`, link_id AS "linkId", provider`,
      rows: ownedPendings.all,
      decrypt: (row) => vault.decrypt(row.id, row, pendingData(row)),
      encrypt: (row, text) => vault.encrypt(row.id, text, pendingData(row))
    })
    return {
      ...encrypted,
      reEncrypt: Effect.fnUntraced(function*(page) {
        yield* Effect.orDie(sql`DELETE FROM pending_connections WHERE created_at < ${yield* oldest}`)
        return yield* encrypted.reEncrypt(page)
      })
    }
  })
}

/** Credentials that a person gave on the page of a link and has yet to confirm. */
export class PendingConnections extends Context.Service<PendingConnections, {
  /** Replaces the visitor's earlier credentials for any of the providers. */
  readonly hold: (pending: NewPending) => Effect.Effect<void>
  readonly find: (visitor: Visitor) => Effect.Effect<Option.Option<Pending>>
  readonly credentialsOf: (visitor: Visitor, id: string) => Effect.Effect<Option.Option<Redacted.Redacted>>
  readonly cancel: (visitor: Visitor, id: string) => Effect.Effect<Option.Option<Pending>>
  /**
   * Creates a connection of each provider that the link has not connected yet, or reconnects the link's connection. The
   * link is then used for these providers.
   */
  readonly confirm: (
    confirmation: Confirmation
  ) => Effect.Effect<Confirmed, ConnectRefused | LinkNotFound | LinkOver>
  /** The connections that this browser made with the link, oldest first. */
  readonly connected: (visitor: Visitor) => Effect.Effect<ReadonlyArray<ConnectionId>>
}>()("openaccounts/Features/ConnectLinks/Visits/PendingConnections") {
  static readonly layer = Layer.effect(
    PendingConnections,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const vault = yield* Vault
      const audit = yield* Audit
      const connections = yield* ConnectionRepo
      const links = yield* ConnectLinks
      const credentials = yield* makeAuditedCredentials

      yield* sweepTable({
        lock,
        what: "unconfirmed credentials",
        table: "pending_connections",
        isOld: (now) => sql`created_at < ${new Date(now.getTime() - Duration.toMillis(pendingLifetime))}`
      })

      const encryptedColumns = sql`, provider, credentials AS bytes, encryption_key_id AS "encryptionKeyId"`

      const columns = sql`id, array_prepend(provider, further_providers) AS providers, auth_type AS "authType",
          external_account AS "externalAccount", signed_in_as AS "signedInAs", scopes, resources, opener`

      const of = ({ browser, linkId }: Visitor) => sql`link_id = ${linkId} AND browser_hash = ${browserHash(browser)}`

      const store = (
        link: OpenedLink,
        { authType, externalAccount, resources: entered, signedInAs }: Pending,
        { chosen, label, provider, scopes, text }: Granted
      ) => {
        const resources = entered ?? chosen
        const granted = { authType, credentials: text, externalAccount, signedInAs, scopes }
        const { connection_id } = link
        if (connection_id === null) {
          const created = { ...granted, provider, clientId: link.client_id, label, resources: resources ?? null }
          return credentials.created(connections.create(created))
        }
        return found(credentials.replaced(connections.reconnect(connection_id, granted))).pipe(
          Effect.flatMap((before) =>
            resources === undefined ? Effect.succeed(before) : audit.change(
              found(connections.change(connection_id, { resources: narrowed(before.resources, resources) })),
              (after) => connectionChanged(before, after)
            )
          )
        )
      }

      const decryptPending = (
        { id, linkId }: { readonly id: string; readonly linkId: ConnectLinkId },
        row: PendingRow
      ) => Effect.orDie(vault.decrypt(id, row, pendingData({ id, linkId, provider: row.provider })))

      return PendingConnections.of({
        hold: Effect.fn("PendingConnections.hold")(function*(pending) {
          const { authType, browser, credentials, externalAccount, linkId, opener, providers, resources, scopes } =
            pending
          const [provider, ...others] = providers
          const id = yield* newId("pen")
          const encrypted = vault.encrypt(id, credentials, pendingData({ id, linkId, provider }))
          yield* sql`
            DELETE FROM pending_connections
            WHERE ${of(pending)} AND array_prepend(provider, further_providers) && ${textArray(providers)}`
          yield* sql`INSERT INTO pending_connections ${
            sql.insert({
              id,
              link_id: linkId,
              browser_hash: browserHash(browser),
              provider,
              further_providers: textArray(others),
              auth_type: authType,
              external_account: externalAccount,
              signed_in_as: pending.signedInAs ?? null,
              scopes: textArray(scopes),
              resources: textArray(resources),
              opener,
              credentials: encrypted.bytes,
              encryption_key_id: encrypted.encryptionKeyId,
              created_at: new Date(yield* Clock.currentTimeMillis)
            })
          }`
        }, Effect.orDie),

        find: Effect.fn("PendingConnections.find")(function*(visitor) {
          return yield* pendings.first(sql`
            SELECT ${columns} FROM pending_connections
            WHERE ${of(visitor)} AND created_at >= ${yield* oldest} ORDER BY id DESC LIMIT 1`)
        }),

        credentialsOf: Effect.fn("PendingConnections.credentialsOf")(function*(visitor, id) {
          const found = yield* pendingRows.first(sql`
            SELECT ${columns} ${encryptedColumns} FROM pending_connections
            WHERE id = ${id} AND ${of(visitor)} AND created_at >= ${yield* oldest}`)
          return yield* Effect.transposeOption(
            Option.map(found, (row) => decryptPending({ id, linkId: visitor.linkId }, row))
          )
        }),

        cancel: Effect.fn("PendingConnections.cancel")((visitor, id) =>
          pendings.first(sql`DELETE FROM pending_connections WHERE id = ${id} AND ${of(visitor)} RETURNING ${columns}`)
        ),

        confirm: Effect.fn("PendingConnections.confirm")(function*({ browser, describe, id, resources, token }) {
          const { id: linkId } = yield* links.open(token)
          const since = yield* oldest
          return yield* audit.change(
            Effect.gen(function*() {
              // Locks the link, so that it connects each provider once.
              yield* sql`SELECT 1 FROM connect_links WHERE id = ${linkId} FOR UPDATE`
              const link = yield* links.open(token)
              const found = yield* pendingRows.first(sql`
                DELETE FROM pending_connections
                WHERE id = ${id} AND ${of({ linkId, browser })} AND created_at >= ${since}
                RETURNING ${columns} ${encryptedColumns}`)
              if (Option.isNone(found)) return yield* confirmationOver
              const pending = found.value
              const { opener, providers } = pending
              const open = providers.filter((id) => link.connected.every((use) => use.provider !== id))
              if (!Arr.isReadonlyArrayNonEmpty(open)) return yield* new LinkOver({ message: used })
              const text = yield* decryptPending({ id, linkId }, pending)
              const made = yield* Effect.forEach(
                open,
                (provider) =>
                  store(link, pending, {
                    ...describe(link, pending, provider),
                    provider,
                    text,
                    chosen: resources?.get(provider)
                  })
              )
              const use = { link_id: linkId, browser_hash: browserHash(browser) }
              const at = new Date(yield* Clock.currentTimeMillis)
              yield* sql`INSERT INTO connect_link_uses ${
                sql.insert(Arr.map(made, ({ id, provider }) => ({ ...use, provider, connection_id: id, at })))
              }`
              return { connections: made, link: yield* links.find(token), opener }
            }).pipe(Effect.catchTag("SqlError", Effect.die)),
            ({ connections }) =>
              connections.map(({ id, provider }) => ({
                action: "link.used",
                subject: linkId,
                details: { provider, connection_id: id }
              }))
          )
        }),

        connected: Effect.fn("PendingConnections.connected")(function*(visitor) {
          return yield* linkUses.all(sql`
            SELECT connection_id FROM connect_link_uses WHERE ${of(visitor)} ORDER BY at, connection_id`)
        })
      })
    })
  ).pipe(Layer.provide(ConnectLinks.layer))
}

interface Granted extends ReturnType<Confirmation["describe"]> {
  readonly provider: string
  readonly text: Redacted.Redacted
  readonly chosen: ReadonlyArray<Resource> | undefined
}

/** The operator may have narrowed the bound since the person entered or chose the resources. */
const narrowed = (bound: Resources, resources: ReadonlyArray<Resource>): ReadonlyArray<Resource> =>
  bound === null ? resources : resources.filter((resource) => bound.includes(resource))

const found = <E>(connection: Effect.Effect<Option.Option<StoredConnection>, E>) =>
  Effect.orDie(Effect.flatMap(connection, Effect.fromOption))

export const pendingData = ({ id, linkId, provider }: {
  readonly id: string
  readonly linkId: string
  readonly provider: string
}): string => JSON.stringify(["pending", id, linkId, provider])

const confirmationOver = Effect.suspend(() =>
  new ConnectRefused({
    reason: "confirmation_over",
    message:
      "This confirmation has ended: it was already answered, is older than 30 minutes, or belongs to another browser"
  })
)

const used = "This account was connected with the link before. Each can be connected once."

const PendingRow = Schema.Struct({ ...Pending.fields, ...Encrypted.fields, provider: Schema.String })
type PendingRow = typeof PendingRow.Type
const pendings = rowsOf(Pending)
const pendingRows = rowsOf(PendingRow)
const ownedPendings = rowsOf(
  Schema.Struct({ ...Encrypted.fields, id: Schema.String, linkId: Schema.String, provider: Schema.String })
)
const linkUses = valuesOf(ConnectionId)
