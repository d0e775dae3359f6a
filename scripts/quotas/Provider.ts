/**
 * The sandbox with its quotas enforced, in a process of its own, behind a server that keeps what arrived and how it was
 * answered: no instance knows this as exactly. `GET /requests` returns it.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"
import { request as send } from "undici"
import { fakeProviders, providers } from "../../src/Registrations.ts"
import { SandboxStore } from "../../src/Sandbox/Data/SandboxStore.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { listen } from "../bench/Listen.ts"
import type { ProviderRequest } from "./Truth.ts"

const requests: Array<ProviderRequest> = []

const forward = async (sandbox: string, request: IncomingMessage, response: ServerResponse) => {
  const { headers, method = "GET", url: path = "/" } = request
  if (path === "/requests") return response.end(JSON.stringify(requests))
  const at = Date.now()
  const body = await buffer(request)
  const answer = await send(`${sandbox}${path}`, {
    method,
    headers: {
      authorization: headers.authorization ?? "",
      ...headers["content-type"] !== undefined && { "content-type": headers["content-type"] }
    },
    body: body.length === 0 ? null : body
  })
  requests.push({ at, path, status: answer.statusCode })
  const text = await answer.body.text()
  return response.writeHead(answer.statusCode, { "content-type": "application/json; charset=UTF-8" }).end(text)
}

const serve = Effect.flatMap(Sandbox, ({ urlOf }) =>
  Effect.andThen(
    Effect.sync(() => {
      const sandbox = new URL(urlOf("")).origin
      const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
        forward(sandbox, request, response).catch((error) => response.destroy(error))
      })
      listen(server)
    }),
    Effect.never
  ))

serve.pipe(
  Effect.provide(Sandbox.layer(fakeProviders, providers).pipe(Layer.provide(SandboxStore.layerMemory))),
  NodeRuntime.runMain
)
