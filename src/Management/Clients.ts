import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClientNotFound } from "../Api/ManagementErrors.ts"
import { Audit, auditedEdit } from "../Audit/Audit.ts"
import { Client, type ClientChange } from "../Domain/Client.ts"
import { ClientId } from "../Domain/Ids.ts"
import { newId } from "../Domain/NewId.ts"
import type { Page, PageRequest } from "../Domain/Page.ts"
import { CurrentScope, type ManagementScope } from "../Domain/Request/ManagementScope.ts"
import { textArray } from "../Sql/BulkStatement.ts"
import { rowsOf, selectNewest } from "../Sql/Rows.ts"

export class Clients extends Context.Service<Clients, {
  readonly create: (name: string) => Effect.Effect<Client>
  readonly list: (page: PageRequest) => Effect.Effect<Page<Client>>
  readonly find: (id: ClientId) => Effect.Effect<Option.Option<Client>>
  /** Those that exist, within `CurrentScope`. */
  readonly named: (ids: ReadonlyArray<ClientId>) => Effect.Effect<ReadonlyArray<Client>>
  readonly change: (id: string, change: ClientChange) => Effect.Effect<Client, ClientNotFound>
  /** Runs `release` in the transaction of the deletion, while `hold` waits. */
  readonly delete: <E>(id: string, release: Effect.Effect<void, E>) => Effect.Effect<void, E | ClientNotFound>
  /** Fails when the client was deleted. In a transaction, it stays until the end. */
  readonly hold: (id: ClientId | null) => Effect.Effect<void, ClientNotFound>
  readonly requireIds: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<ClientId>, ClientNotFound>
}>()("openaccounts/Management/Clients") {
  static readonly layer = Layer.effect(
    Clients,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit

      const within = ({ clientIds }: ManagementScope) =>
        clientIds === null ? sql`true` : sql`id = ANY(${textArray(clientIds)})`

      const locked = Effect.fnUntraced(function*(id: string) {
        const found = yield* clients.first(sql`
          SELECT id, name, created_at FROM clients
          WHERE id = ${id} AND ${within(yield* CurrentScope)} FOR UPDATE`)
        return Option.isSome(found) ? found.value : yield* clientNotFound(id)
      })

      return Clients.of({
        create: Effect.fn("Clients.create")(function*(name) {
          const client: Client = {
            id: ClientId.make(yield* newId("cli")),
            name,
            created_at: new Date(yield* Clock.currentTimeMillis)
          }
          yield* audit.change(
            sql`INSERT INTO clients ${sql.insert(client)}`,
            () => [{ action: "client.created", subject: client.id, details: { name } }]
          )
          return client
        }, Effect.orDie),

        list: (page) =>
          Effect.flatMap(
            CurrentScope,
            (scope) =>
              selectNewest(sql, page, (after, end) =>
                clients.all(sql`SELECT id, name, created_at FROM clients WHERE ${after} AND ${within(scope)} ${end}`))
          ),

        find: (id) => clients.first(sql`SELECT id, name, created_at FROM clients WHERE id = ${id}`),

        named: (ids) =>
          Effect.flatMap(
            CurrentScope,
            (scope) =>
              clients.all(
                sql`SELECT id, name, created_at FROM clients WHERE id = ANY(${textArray(ids)}) AND ${within(scope)}`
              )
          ),

        change: Effect.fn("Clients.change")(function*(id, { name }) {
          const { after } = yield* audit.change(
            Effect.gen(function*() {
              const before = yield* locked(id)
              const after = { ...before, name: name ?? before.name }
              yield* Effect.orDie(sql`UPDATE clients SET name = ${after.name} WHERE id = ${id}`)
              return { before, after }
            }),
            ({ after, before }) =>
              auditedEdit({ action: "client.changed", subject: after.id }, { name: before.name }, { name: after.name })
          )
          return after
        }),

        delete: (id, release) =>
          Effect.asVoid(audit.change(
            locked(id).pipe(
              Effect.tap(() => release),
              Effect.tap(Effect.orDie(sql`DELETE FROM clients WHERE id = ${id}`))
            ),
            ({ id, name }) => [{ action: "client.deleted", subject: id, details: { name } }]
          )),

        hold: Effect.fn("Clients.hold")(function*(id) {
          if (id === null) return
          const held = yield* clientIds.first(sql`SELECT id FROM clients WHERE id = ${id} FOR SHARE`)
          if (Option.isNone(held)) return yield* new ClientNotFound({ message: `The client "${id}" was deleted.` })
        }),

        requireIds: Effect.fn("Clients.requireIds")(function*(ids) {
          const rows = yield* clientIds.all(sql`SELECT id FROM clients
            WHERE id = ANY(${textArray(ids)}) AND ${within(yield* CurrentScope)}`)
          const found = new Map<string, ClientId>(rows.map(({ id }) => [id, id]))
          return yield* Effect.forEach(
            new Set(ids),
            (id) => Effect.mapError(Effect.fromNullishOr(found.get(id)), () => clientNotFound(id))
          )
        })
      })
    })
  )
}

export const clientNotFound = (id: string) => new ClientNotFound({ message: `There is no client with the id "${id}".` })

const clients = rowsOf(Schema.toType(Client))
const clientIds = rowsOf(Schema.Struct({ id: ClientId }))
