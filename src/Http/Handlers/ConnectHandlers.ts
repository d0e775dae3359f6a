import { Effect, Redacted } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../Api/Api.ts"
import { ConnectFlow } from "../../Connections/ConnectFlow.ts"
import { ManagedConnections } from "../../Management/ManagedConnections.ts"
import { Catalog } from "../../Providers/Catalog.ts"

export const ConnectHandlers = HttpApiBuilder.group(
  Api,
  "connect",
  Effect.fn(function*(handlers) {
    const connections = yield* ManagedConnections
    const connectFlow = yield* ConnectFlow
    const catalog = yield* Catalog

    return handlers.handleAll({
      start: ({ payload }) => Effect.map(connections.connect(payload), (authorize_url) => ({ authorize_url })),
      callback: ({ query: { code, error, state = "" } }) =>
        Effect.map(
          connectFlow.finish({
            state,
            code: code === undefined ? undefined : Redacted.make(code),
            error,
            find: (id) => Effect.orDie(catalog.provider(id))
          }),
          ({ id }) => connectedPage(id)
        )
    })
  })
)

const connectedPage = (id: string) =>
  `<!doctype html><meta charset="utf-8"><title>Connected</title>
<body style="font:16px system-ui;max-width:32rem;margin:20vh auto">
<h1>Connected</h1><p>The account is linked as <code>${id}</code>. You can close this window.</p>
`
