import { Context, Effect, Layer, Schema } from "effect"
import { ClientInUse, type ClientNotFound } from "../Api/ManagementErrors.ts"
import { Audit } from "../Audit/Audit.ts"
import { OpenLinks } from "../Connections/Connect/OpenLinks.ts"
import { ConnectionRepo } from "../Connections/ConnectionRepo.ts"
import type { ConnectionStatus } from "../Domain/Connection.ts"
import { ClientId } from "../Domain/Ids.ts"
import { clientNotFound, Clients } from "./Clients.ts"
import { ManagedConnections } from "./ManagedConnections.ts"
import { Members } from "./Members.ts"

export class ClientDeletion extends Context.Service<ClientDeletion, {
  /**
   * Ends the client's links, revokes the keys made for it and takes it from the lists of members. With `revoke`, active
   * connections are revoked first; without it, they are `ClientInUse`.
   */
  readonly delete: (
    id: string,
    options: { readonly revoke: boolean }
  ) => Effect.Effect<void, ClientNotFound | ClientInUse>
}>()("openaccounts/Management/ClientDeletion") {
  static readonly layer = Layer.effect(
    ClientDeletion,
    Effect.gen(function*() {
      const audit = yield* Audit
      const clients = yield* Clients
      const connections = yield* ConnectionRepo
      const links = yield* OpenLinks
      const managed = yield* ManagedConnections
      const members = yield* Members

      const revokeAll = Effect.fnUntraced(function*(client_id: ClientId, status: ConnectionStatus) {
        yield* Effect.forEach(yield* connections.list(null, { client_id, status }), ({ id }) => managed.revoke(id), {
          concurrency: 5,
          discard: true
        })
      }, Effect.catchTag("ConnectionNotFound", Effect.die))

      const requireUnused = Effect.fnUntraced(function*(client_id: ClientId) {
        const active = yield* connections.list(null, { client_id, status: "active" })
        if (active.length === 0) return
        return yield* new ClientInUse({
          details: {
            connections: active.length,
            links: yield* links.countOf(client_id),
            members: yield* members.countOf(client_id)
          }
        })
      })

      return ClientDeletion.of({
        delete: Effect.fn("ClientDeletion.delete")(function*(id, { revoke }) {
          if (!isClientId(id)) return yield* clientNotFound(id)
          if (revoke) yield* revokeAll(id, "active")
          yield* audit.change(
            Effect.gen(function*() {
              yield* requireUnused(id)
              // Before the client is locked: a link's confirmation takes the locks in the same order.
              yield* links.endOfClient(id)
              yield* clients.delete(id, Effect.andThen(requireUnused(id), members.removeClient(id)))
            }),
            () => []
          )
          // Deletes the credentials of expired connections, which cannot be reconnected without the client.
          yield* revokeAll(id, "expired")
        })
      })
    })
  ).pipe(
    Layer.provide([Clients.layer, ManagedConnections.layer, Members.layer])
  )
}

const isClientId = Schema.is(ClientId)
