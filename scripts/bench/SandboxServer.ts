import { NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { createServer, type IncomingMessage } from "node:http"
import { buffer } from "node:stream/consumers"
import { request as send } from "undici"
import { fakeProviders, providers } from "../../src/Registrations.ts"
import { SandboxStore } from "../../src/Sandbox/Data/SandboxStore.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { listen } from "./Listen.ts"

interface Answer {
  readonly status: number
  readonly text: string
}

interface Asked {
  readonly path: string
  readonly authorization: string
  /** The sandbox's own answer. */
  readonly forward: () => Promise<Answer>
}

const forward = async (sandbox: string, request: IncomingMessage): Promise<Answer> => {
  const { headers: { authorization = "", "content-type": type = "" }, method = "GET", url: path = "/" } = request
  const content = await buffer(request)
  const answer = await send(`${sandbox}${path}`, {
    method,
    headers: { authorization, ...type !== "" && { "content-type": type } },
    body: content.length === 0 ? null : content
  })
  return { status: answer.statusCode, text: await answer.body.text() }
}

/** Runs the sandbox in this process, behind a server whose answers are those of `answer`. */
export const serveSandbox = (answer: (asked: Asked) => Promise<Answer>): void => {
  const serve = Effect.flatMap(Sandbox, ({ urlOf }) =>
    Effect.andThen(
      Effect.sync(() => {
        const sandbox = new URL(urlOf("")).origin
        const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
          const { headers: { authorization = "" }, url: path = "/" } = request
          answer({ path, authorization, forward: () => forward(sandbox, request) }).then(
            ({ status, text }) =>
              response.writeHead(status, { "content-type": "application/json; charset=UTF-8" }).end(text),
            (error) => response.destroy(error)
          )
        })
        listen(server)
      }),
      Effect.never
    ))
  serve.pipe(
    Effect.provide(Sandbox.layer(fakeProviders, providers).pipe(Layer.provide(SandboxStore.layerMemory))),
    NodeRuntime.runMain
  )
}
