import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, Exit, Scope } from "effect"
import type { HttpServerRequest } from "effect/http"

/** Closes when the response was sent or the client has disconnected. The scope of Effect's server closes before. */
export const responseScope = (request: HttpServerRequest.HttpServerRequest): Scope.Scope => {
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runSync(Scope.close(scope, Exit.void))
  const response = NodeHttpServerRequest.toServerResponse(request)
  if (response.closed) close()
  else response.once("close", close)
  return scope
}
