import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { once } from "node:events"
import { Agent, get, type IncomingMessage, type ServerResponse } from "node:http"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { DrainingServer } from "../../src/Http/DrainingServer.ts"
import { eventually } from "../support/Eventually.ts"

/** A server that listens, a client that keeps its one connection alive, and the answers that are due. */
const makeWorld = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = new DrainingServer()
    await once(server.listen(0, "127.0.0.1"), "listening")
    const address = server.address()
    const port = address !== null && typeof address === "object" ? address.port : assert.fail("no port")
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const due: Array<ServerResponse> = []
    return { server, port, agent, due }
  }),
  ({ agent, server }) =>
    Effect.sync(() => {
      agent.destroy()
      server.close()
      server.closeAllConnections()
    })
)
type World = Effect.Success<typeof makeWorld>

const withHandler = Effect.tap(
  makeWorld,
  ({ due, server }) =>
    Effect.sync(() =>
      server.on("request", (request, response) => {
        if (request.url === "/later") due.push(response)
        else response.end("at once")
      })
    )
)

const ask = ({ agent, port }: World, path = "/") =>
  Effect.promise(async () => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ host: "127.0.0.1", port, path, agent }, resolve).once("error", reject)
    })
    return { status: response.statusCode, connection: response.headers.connection, body: await text(response) }
  })

const isDue = ({ due }: World) => eventually(Effect.sync(() => due[0]), (response) => response !== undefined)

const close = ({ server }: World) =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
  })

describe("a server that is told to close", () => {
  it.live("waits for the answer at hand, and ends the connection with it", () =>
    Effect.gen(function*() {
      const world = yield* withHandler
      assert.strictEqual((yield* ask(world)).connection, "keep-alive")
      const asking = yield* Effect.forkChild(ask(world, "/later"))
      const response = yield* isDue(world)
      const closing = yield* Effect.forkChild(close(world), { startImmediately: true })
      assert.isUndefined(closing.pollUnsafe())

      response?.end("later")
      assert.deepStrictEqual(yield* Fiber.join(asking), { status: 200, connection: "close", body: "later" })
      yield* Fiber.join(closing)
    }))

  it.live("ends the connection with an answer whose beginning is on the way already", () =>
    Effect.gen(function*() {
      const world = yield* withHandler
      const asking = yield* Effect.forkChild(ask(world, "/later"))
      const response = yield* isDue(world)
      response?.write("the beginning")
      const closing = yield* Effect.forkChild(close(world), { startImmediately: true })
      response?.end(" and the end")
      assert.strictEqual((yield* Fiber.join(asking)).body, "the beginning and the end")
      yield* Fiber.join(closing)
    }))

  it.live("waits for nobody who asks nothing", () =>
    Effect.gen(function*() {
      const world = yield* withHandler
      yield* ask(world)
      const silent = connect(world.port, "127.0.0.1")
      yield* Effect.promise(() => once(silent, "connect"))
      // Known to the server, not only to its machine.
      yield* eventually(
        Effect.callback<number>((resume) => {
          world.server.getConnections((_, count) => resume(Effect.succeed(count)))
        }),
        (count) => count === 2
      )
      yield* close(world)
    }))

  it.live("answers 503 as long as there is nobody to answer", () =>
    Effect.gen(function*() {
      const world = yield* makeWorld
      assert.deepStrictEqual(yield* ask(world), { status: 503, connection: "close", body: "" })
    }))
})
