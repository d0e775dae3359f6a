import { Context, Effect, Option } from "effect"
import { HttpServer } from "effect/http"

export class AdminListener extends Context.Service<AdminListener, {
  readonly server: Option.Option<HttpServer.HttpServer["Service"]>
}>()("openaccounts/Http/Server/Listeners/AdminListener") {}

export const adminListenerUrl = Effect.map(
  AdminListener,
  ({ server }) => Option.map(server, ({ address }) => HttpServer.formatAddress(address))
)
