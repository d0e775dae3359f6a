/**
 * The sandbox in a process of its own. Accounts whose name begins with `late` are answered after `LATE_SECONDS`, and
 * those with `broken` by an error.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import { request as send } from "undici"
import { fakeProviders, providers } from "../../src/Registrations.ts"
import { SandboxStore } from "../../src/Sandbox/Data/SandboxStore.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { listen } from "../bench/Listen.ts"

const lateSeconds = Number(process.env["LATE_SECONDS"] ?? 20)

/** The sandbox's access tokens say whose they are. */
const accountOf = (authorization: string): string => {
  const [, claims = ""] = /sandbox-([^.]*)/.exec(authorization) ?? []
  const [, account = ""] = /"account":"(\w+)/.exec(Buffer.from(claims, "base64url").toString()) ?? []
  return account
}

const forward = async (sandbox: string, request: IncomingMessage, response: ServerResponse) => {
  const { headers: { authorization = "", "content-type": type = "" }, method = "GET", url: path = "/" } = request
  const body = await buffer(request)
  const account = accountOf(authorization)
  if (account === "late") await setTimeout(lateSeconds * 1000)
  if (account === "broken") return response.writeHead(500, { "content-type": "application/json" }).end("{}")
  const headers = { authorization, ...type !== "" && { "content-type": type } }
  const answer = await send(`${sandbox}${path}`, { method, headers, body: body.length === 0 ? null : body })
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
