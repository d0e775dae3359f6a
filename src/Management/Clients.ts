import { Clock, Context, Effect, Layer, Option } from "effect"
import { ClientNotFound } from "../Api/ManagementErrors.ts"
import { Audit, auditedEdit } from "../Audit/Audit.ts"
import { ClientRepo } from "../Auth/ClientRepo.ts"
import type { Client, ClientChange } from "../Domain/Client.ts"
import { ClientId } from "../Domain/Ids.ts"
import { newId } from "../Domain/NewId.ts"
import type { Page, PageRequest } from "../Domain/Page.ts"
import { CurrentScope } from "../Domain/Request/ManagementScope.ts"

export class Clients extends Context.Service<Clients, {
  readonly create: (name: string) => Effect.Effect<Client>
  readonly list: (page: PageRequest) => Effect.Effect<Page<Client>>
  readonly find: (id: ClientId) => Effect.Effect<Option.Option<Client>>
  /** The clients that exist, within `CurrentScope`. */
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
      const audit = yield* Audit
      const clients = yield* ClientRepo

      const locked = Effect.fnUntraced(function*(id: string) {
        const { clientIds } = yield* CurrentScope
        const found = yield* clients.find(id, { within: clientIds, lock: "FOR UPDATE" })
        return Option.isSome(found) ? found.value : yield* clientNotFound(id)
      })

      const named = (ids: ReadonlyArray<string>) =>
        Effect.flatMap(CurrentScope, ({ clientIds }) => clients.findAll(ids, clientIds))

      return Clients.of({
        create: Effect.fn("Clients.create")(function*(name) {
          const client: Client = {
            id: ClientId.make(yield* newId("cli")),
            name,
            created_at: new Date(yield* Clock.currentTimeMillis)
          }
          yield* audit.change(
            clients.insert(client),
            () => [{ action: "client.created", subject: client.id, details: { name } }]
          )
          return client
        }),

        list: (page) => Effect.flatMap(CurrentScope, ({ clientIds }) => clients.list(clientIds, page)),

        find: (id) => clients.find(id),

        named,

        change: Effect.fn("Clients.change")(function*(id, { name }) {
          const { after } = yield* audit.change(
            Effect.gen(function*() {
              const before = yield* locked(id)
              const after = { ...before, name: name ?? before.name }
              yield* clients.rename(before.id, after.name)
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
              Effect.tap(({ id }) => clients.delete(id))
            ),
            ({ id, name }) => [{ action: "client.deleted", subject: id, details: { name } }]
          )),

        hold: Effect.fn("Clients.hold")(function*(id) {
          if (id === null) return
          const held = yield* clients.find(id, { lock: "FOR SHARE" })
          if (Option.isNone(held)) return yield* new ClientNotFound({ message: `The client "${id}" was deleted.` })
        }),

        requireIds: Effect.fn("Clients.requireIds")(function*(ids) {
          const found = new Map<string, ClientId>((yield* named(ids)).map(({ id }) => [id, id]))
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
