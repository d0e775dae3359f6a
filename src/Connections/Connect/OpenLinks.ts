import { Context, Deferred, Effect, Layer } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { InvalidInput } from "../../Api/Errors.ts"
import type { ProviderError } from "../../Api/Errors/ProviderErrors.ts"
import type { LinkNotFound, LinkOver } from "../../Api/ManagementErrors.ts"
import type { Connection } from "../../Domain/Connection.ts"
import type { ClientId, ConnectionId } from "../../Domain/Ids.ts"
import type { VisitorSignIn } from "./ConnectFlow.ts"
import { ConnectRefused } from "./ConnectRefused.ts"

export interface ServedLinks {
  /** The URL of a link to reconnect the connection. Null if the settings allow none for the provider. */
  readonly reconnectUrl: (connection: Connection) => Effect.Effect<string | null>
  /** How many links of the client are open. */
  readonly countOf: (clientId: ClientId) => Effect.Effect<number>
  readonly endOfClient: (clientId: ClientId) => Effect.Effect<void>
  /** Ends the open links that would reconnect one of the connections. */
  readonly endOf: (connectionIds: ReadonlyArray<ConnectionId>) => Effect.Effect<void>
  /** The page to which a visitor comes back from the provider. */
  readonly comeBack: (signIn: VisitorSignIn) => Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    ConnectRefused | InvalidInput | LinkNotFound | LinkOver | ProviderError,
    HttpServerRequest.HttpServerRequest
  >
}

/** What the core asks of connect links. During the start, it waits until a feature serves them or none does. */
export class OpenLinks extends Context.Service<
  OpenLinks,
  ServedLinks & {
    readonly serve: (links: ServedLinks) => Effect.Effect<void>
  }
>()("openaccounts/Connections/Connect/OpenLinks") {
  static readonly layer = Layer.effect(
    OpenLinks,
    Effect.gen(function*() {
      const served = yield* Deferred.make<ServedLinks>()
      const links = Deferred.await(served)
      return OpenLinks.of({
        serve: (links) => Effect.asVoid(Deferred.succeed(served, links)),
        reconnectUrl: (connection) => Effect.flatMap(links, ({ reconnectUrl }) => reconnectUrl(connection)),
        countOf: (clientId) => Effect.flatMap(links, ({ countOf }) => countOf(clientId)),
        endOfClient: (clientId) => Effect.flatMap(links, ({ endOfClient }) => endOfClient(clientId)),
        endOf: (connectionIds) => Effect.flatMap(links, ({ endOf }) => endOf(connectionIds)),
        comeBack: (signIn) => Effect.flatMap(links, ({ comeBack }) => comeBack(signIn))
      })
    })
  )

  /** Without a feature that serves links, there are none. */
  static readonly settled = Layer.effectDiscard(Effect.flatMap(OpenLinks, ({ serve }) => serve(noLinks)))
}

const noLinks: ServedLinks = {
  reconnectUrl: () => Effect.succeed(null),
  countOf: () => Effect.succeed(0),
  endOfClient: () => Effect.void,
  endOf: () => Effect.void,
  comeBack: () =>
    Effect.fail(new ConnectRefused({ reason: "sign_in_over", message: "This service has no connect links any more" }))
}
