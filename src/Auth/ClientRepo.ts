import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Client } from "../Domain/Client.ts"
import type { ClientId } from "../Domain/Ids.ts"
import type { Page, PageRequest } from "../Domain/Page.ts"
import { textArray } from "../Sql/BulkStatement.ts"
import { type Lock, lockOf, rowsOf, selectNewest } from "../Sql/Rows.ts"

/** `null`: every client. */
type Within = ReadonlyArray<ClientId> | null

/** The table `clients`. */
export class ClientRepo extends Context.Service<ClientRepo, {
  readonly insert: (client: Client) => Effect.Effect<void>
  readonly list: (within: Within, page: PageRequest) => Effect.Effect<Page<Client>>
  readonly find: (
    id: string,
    options?: { readonly within?: Within; readonly lock?: Lock }
  ) => Effect.Effect<Option.Option<Client>>
  /** The clients that exist, sorted by name. */
  readonly findAll: (ids: ReadonlyArray<string>, within?: Within) => Effect.Effect<ReadonlyArray<Client>>
  readonly rename: (id: ClientId, name: string) => Effect.Effect<void>
  readonly delete: (id: ClientId) => Effect.Effect<void>
}>()("openaccounts/Auth/ClientRepo") {
  static readonly layer = Layer.effect(
    ClientRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const columns = sql`id, name, created_at`
      const isWithin = (clientIds: Within) => clientIds === null ? sql`true` : sql`id = ANY(${textArray(clientIds)})`

      return ClientRepo.of({
        insert: (client) => Effect.orDie(Effect.asVoid(sql`INSERT INTO clients ${sql.insert(client)}`)),

        list: (within, page) =>
          selectNewest(
            sql,
            page,
            (after, end) =>
              clients.all(sql`SELECT ${columns} FROM clients WHERE ${after} AND ${isWithin(within)} ${end}`)
          ),

        find: (id, { lock, within = null } = {}) =>
          clients.first(
            sql`SELECT ${columns} FROM clients WHERE id = ${id} AND ${isWithin(within)} ${lockOf(sql, lock)}`
          ),

        findAll: (ids, within = null) =>
          clients.all(sql`
            SELECT ${columns} FROM clients WHERE id = ANY(${textArray([...new Set(ids)])}) AND ${isWithin(within)}
            ORDER BY lower(name), id`),

        rename: (id, name) => Effect.orDie(Effect.asVoid(sql`UPDATE clients SET name = ${name} WHERE id = ${id}`)),

        delete: (id) => Effect.orDie(Effect.asVoid(sql`DELETE FROM clients WHERE id = ${id}`))
      })
    })
  )
}

const clients = rowsOf(Schema.toType(Client))
