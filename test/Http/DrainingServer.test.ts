import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { once } from "node:events"
import { Agent, get, type IncomingMessage, type ServerResponse } from "node:http"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { DrainingServer } from "../../src/Http/DrainingServer.ts"
import { eventually } from "../support/Eventually.ts"

/** A server that listens, a client that keeps its one connection alive, and the answers that are due. */
const makeWorld = (maxConnections = 100) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = new DrainingServer({ requestTimeout: Duration.minutes(5), maxConnections })
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
type World = Effect.Success<ReturnType<typeof makeWorld>>

const withHandler = (maxConnections?: number) =>
  Effect.tap(
    makeWorld(maxConnections),
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

/** A client that has connected, and asks nothing. */
const connected = Effect.fnUntraced(function*({ port, server }: World) {
  const connections = Effect.callback<number>((resume) => {
    server.getConnections((_, count) => resume(Effect.succeed(count)))
  })
  const before = yield* connections
  const silent = connect(port, "127.0.0.1")
  // Known to the server, not only to its machine.
  yield* eventually(connections, (count) => count === before + 1)
  return silent
})

const close = ({ server }: World) =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
  })

describe("a server that is told to close", () => {
  it.live("waits for the answer at hand, and ends the connection with it", () =>
    Effect.gen(function*() {
      const world = yield* withHandler()
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
      const world = yield* withHandler()
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
      const world = yield* withHandler()
      yield* ask(world)
      yield* connected(world)
      yield* close(world)
    }))

  it.live("answers 503 as long as there is nobody to answer", () =>
    Effect.gen(function*() {
      const world = yield* makeWorld()
      const { body, connection, status } = yield* ask(world)
      assert.deepStrictEqual([status, connection, JSON.parse(body).error.code], [503, "close", "unavailable"])
    }))
})

describe("a server that has all the connections it can take", () => {
  it.live("lets the one go that has been silent for longest, and answers those that wait", () =>
    Effect.gen(function*() {
      const world = yield* withHandler(2)
      const silent = yield* connected(world)
      const asking = yield* Effect.forkChild(ask(world, "/later"))
      const response = yield* isDue(world)
      const closed = once(silent, "close")
      const other = { ...world, agent: new Agent() }
      assert.strictEqual((yield* ask(other)).body, "at once")
      yield* Effect.promise(() => closed)
      response?.end("later")
      assert.strictEqual((yield* Fiber.join(asking)).body, "later")
    }))

  it.live("lets one go that is slow to ask, where nobody is silent", () =>
    Effect.gen(function*() {
      const world = yield* withHandler(1)
      const slow = yield* connected(world)
      slow.write("POST /later HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{")
      yield* isDue(world)
      const closed = once(slow, "close")
      assert.strictEqual((yield* ask({ ...world, agent: new Agent() })).body, "at once")
      yield* Effect.promise(() => closed)
    }))

  it.live("answers 503 where every client waits for an answer", () =>
    Effect.gen(function*() {
      const world = yield* withHandler(1)
      const asking = yield* Effect.forkChild(ask(world, "/later"))
      const response = yield* isDue(world)
      const refused = yield* ask({ ...world, agent: new Agent() })
      assert.deepStrictEqual([refused.status, JSON.parse(refused.body).error.code], [503, "unavailable"])
      response?.end("later")
      assert.strictEqual((yield* Fiber.join(asking)).body, "later")
    }))
})
