import { Effect, Option, Redacted } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CoreApi } from "../../../Api/CoreApi.ts"
import { OpenLinks } from "../../../Connections/Connect/OpenLinks.ts"
import { ConnectRequest } from "../../../Domain/Connection.ts"
import { Clients } from "../../../Management/Clients.ts"
import { issuesOfSignIn, ManagedConnections } from "../../../Management/ManagedConnections.ts"
import { operatorBranding } from "../../../Pages/OperatorBranding.ts"
import { Catalog } from "../../../Providers/Catalog/Catalog.ts"
import { connectCookie } from "../../Pages/SignInCookie.ts"
import { connectedPage, signInRefused } from "../../Pages/SignInPages.ts"
import { bodyReader } from "../ReadBody.ts"

export const ConnectHandlers = HttpApiBuilder.group(
  CoreApi,
  "connect",
  Effect.fn(function*(handlers) {
    const connections = yield* ManagedConnections
    const catalog = yield* Catalog
    const clients = yield* Clients
    const links = yield* OpenLinks
    const browserCookie = yield* connectCookie
    const { frame } = yield* operatorBranding

    const readRequest = bodyReader(
      ConnectRequest,
      ConnectRequest,
      (_, sent) => Effect.succeed(issuesOfSignIn(sent))
    )

    return handlers
      .handleRaw("start", ({ request }) =>
        readRequest(request).pipe(
          Effect.flatMap(connections.connect),
          Effect.map((authorize_url) => ({ authorize_url }))
        ))
      .handleAll({
        callback: ({ query: { code, error, state = "" }, request }) =>
          Effect.gen(function*() {
            // Link scanners send HEAD, which must not use up the state of the person's request.
            if (request.method === "HEAD") return HttpServerResponse.empty()
            const browser = yield* browserCookie.value
            const finished = yield* connections.finishConnect({
              state,
              browser,
              code: code === undefined ? undefined : Redacted.make(code),
              error,
              find: (id) => Effect.orDie(catalog.provider(id))
            })
            if (finished._tag === "OfVisitor") return yield* links.comeBack(finished.signIn)
            const { connection } = finished
            const provider = yield* Effect.orDie(catalog.provider(connection.provider))
            const client = connection.client_id === null
              ? Option.none()
              : yield* clients.find(connection.client_id)
            return connectedPage(frame, connection, {
              provider: provider.name,
              client: Option.getOrUndefined(client)?.name
            })
          }).pipe(Effect.catchTag("ConnectRefused", signInRefused(frame)))
      })
  })
)
