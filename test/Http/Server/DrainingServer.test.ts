import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { once } from "node:events"
import { Agent, get, IncomingMessage, ServerResponse } from "node:http"
import { connect, Socket } from "node:net"
import { text } from "node:stream/consumers"
import { ClientConnection } from "../../../src/Http/Server/Listeners/ClientConnection.ts"
import { DrainingServer } from "../../../src/Http/Server/Listeners/DrainingServer.ts"
import { eventually } from "../../support/Eventually.ts"
import { listening } from "../../support/Listening.ts"

const makeFixture = Effect.fnUntraced(function*(maxConnections = 100) {
  const clock = { millis: 0 }
  const now = () => clock.millis
  const server = new DrainingServer({ requestTimeout: Duration.minutes(5), maxConnections, now })
  const port = yield* listening(server)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  yield* Effect.addFinalizer(() => Effect.sync(() => agent.destroy()))
  const due: Array<ServerResponse> = []
  return { server, port, agent, due, clock }
})
type Fixture = Effect.Success<ReturnType<typeof makeFixture>>

const withHandler = (maxConnections?: number) =>
  Effect.tap(
    makeFixture(maxConnections),
    ({ due, server }) =>
      Effect.sync(() =>
        server.on("request", (request, response) => {
          request.on("data", () => server.emit("received"))
          if (request.url === "/later") due.push(response)
          else response.end("at once")
        })
      )
  )

const ask = ({ agent, port }: Pick<Fixture, "agent" | "port">, path = "/") =>
  Effect.promise(async () => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ host: "127.0.0.1", port, path, agent }, resolve).once("error", reject)
    })
    return { status: response.statusCode, connection: response.headers.connection, body: await text(response) }
  })

/** Asks on a connection of its own. */
const askAnew = ({ port }: Fixture, path?: string) => ask({ port, agent: new Agent() }, path)

const firstDue = ({ due }: Fixture) =>
  Effect.map(
    eventually(Effect.sync(() => due[0]), (response) => response !== undefined),
    (response) => response ?? assert.fail("no response")
  )

/** A request that is answered by `answer`. */
const askLater = Effect.fnUntraced(function*(fixture: Fixture) {
  const asking = yield* Effect.forkChild(ask(fixture, "/later"))
  const response = yield* firstDue(fixture)
  const answer = Effect.suspend(() => {
    response.end("later")
    return Fiber.join(asking)
  })
  return { answer, response }
})

const connectSilently = Effect.fnUntraced(function*({ port, server }: Fixture) {
  const connections = Effect.callback<number>((resume) => {
    server.getConnections((_, count) => resume(Effect.succeed(count)))
  })
  const before = yield* connections
  const silent = connect(port, "127.0.0.1")
  // The kernel accepts a connection before the server does.
  yield* eventually(connections, (count) => count === before + 1)
  return silent
})

const close = ({ server }: Fixture) =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
  })

describe("A closing server", () => {
  it.live("finishes the answer in progress and then closes the connection", () =>
    Effect.gen(function*() {
      const fixture = yield* withHandler()
      assert.strictEqual((yield* ask(fixture)).connection, "keep-alive")
      const { answer } = yield* askLater(fixture)
      const closing = yield* Effect.forkChild(close(fixture), { startImmediately: true })
      assert.isUndefined(closing.pollUnsafe())
      assert.deepStrictEqual(yield* answer, { status: 200, connection: "close", body: "later" })
      yield* Fiber.join(closing)
    }))

  it.live("closes the connection after an answer that has begun", () =>
    Effect.gen(function*() {
      const fixture = yield* withHandler()
      const { answer, response } = yield* askLater(fixture)
      response.write("the beginning and ")
      const closing = yield* Effect.forkChild(close(fixture), { startImmediately: true })
      assert.strictEqual((yield* answer).body, "the beginning and later")
      yield* Fiber.join(closing)
    }))

  it.live("does not wait for clients without a request", () =>
    Effect.gen(function*() {
      const fixture = yield* withHandler()
      yield* ask(fixture)
      yield* connectSilently(fixture)
      yield* close(fixture)
    }))

  it.live("reads on behind an early answer, so that a client that sends first gets it, but not without end", () =>
    Effect.gen(function*() {
      const { port, server } = yield* makeFixture()
      server.on("request", (_, response) => void response.end("too large"))
      const sendAll = (megabytes: number) =>
        Effect.callback<string>((resume) => {
          const socket = connect(port, "127.0.0.1")
          let received = ""
          socket.setEncoding("utf8").on("data", (text: string) => void (received += text))
          socket.on("error", () => resume(Effect.succeed("reset"))).on("close", () => resume(Effect.succeed(received)))
          socket.write(`POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${megabytes}000000\r\n\r\n`)
          const megabyte = Buffer.alloc(1_000_000)
          for (let sent = 0; sent < megabytes; sent++) socket.write(megabyte)
        })
      assert.match(yield* sendAll(20), /^HTTP\/1.1 200 .*too large$/s)
      assert.strictEqual(yield* sendAll(160), "reset")
    }))

  it.live("answers 503 while it has no request handler", () =>
    Effect.gen(function*() {
      const { body, connection, status } = yield* ask(yield* makeFixture())
      assert.deepStrictEqual([status, connection, JSON.parse(body).error.code], [503, "close", "unavailable"])
    }))
})

describe("A server with MAX_CONNECTIONS connections", () => {
  it.live("closes the connection that has been silent for longest and answers the others", () =>
    Effect.gen(function*() {
      const fixture = yield* withHandler(2)
      const silent = yield* connectSilently(fixture)
      silent.write("GET /now HTTP/1.1\r\nhost: localhost\r\n\r\n")
      yield* Effect.promise(() => once(silent, "data"))
      const { answer } = yield* askLater(fixture)
      const closed = once(silent, "close")
      assert.strictEqual((yield* askAnew(fixture)).body, "at once")
      yield* Effect.promise(() => closed)
      assert.strictEqual((yield* answer).body, "later")
    }))

  it.live("closes the request that has stopped, and not one that goes on or a connection that was just made", () =>
    Effect.gen(function*() {
      const fixture = yield* withHandler(3)
      const { clock, due, server } = fixture
      const sendPart = Effect.fnUntraced(function*(socket: ReturnType<typeof connect>, part: string) {
        const received = once(server, "received")
        socket.write(part)
        yield* Effect.promise(() => received)
        return socket
      })
      const begin = Effect.flatMap(
        connectSilently(fixture),
        (slow) => sendPart(slow, "POST /later HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{")
      )
      const [going, stopped] = [yield* begin, yield* begin]
      const closed = Promise.race([
        once(going, "close").then(() => "going"),
        once(stopped, "close").then(() => "stopped")
      ])
      clock.millis = 5000
      yield* connectSilently(fixture)
      yield* sendPart(going, "}")
      assert.strictEqual((yield* askAnew(fixture)).body, "at once")
      assert.strictEqual(yield* Effect.promise(() => closed), "stopped")
      assert.lengthOf(due, 2)
    }))

  it.live("answers a new client while requests have just begun, and 503 after they have waited for a second", () =>
    Effect.gen(function*() {
      const fixture = yield* withHandler(1)
      const { answer } = yield* askLater(fixture)
      assert.strictEqual((yield* askAnew(fixture)).body, "at once")
      fixture.clock.millis = 1000
      const { body, status } = yield* askAnew(fixture)
      assert.deepStrictEqual([status, JSON.parse(body).error.code], [503, "unavailable"])
      assert.strictEqual((yield* answer).body, "later")
    }))

  it.live("closes the connection that has not read its answer for longest", () =>
    Effect.gen(function*() {
      const fixture = yield* withHandler(2)
      const reader = yield* connectSilently(fixture)
      reader.pause().write("GET /later HTTP/1.1\r\nhost: localhost\r\n\r\n")
      const response = yield* firstDue(fixture)
      response.writeHead(200, { "content-length": 50_000_000 }).end(Buffer.alloc(50_000_000))
      const silent = yield* connectSilently(fixture)
      const closed = Promise.race([
        once(reader.on("error", () => {}).resume(), "close").then(() => "reader"),
        once(silent, "close").then(() => "silent")
      ])
      reader.pause()
      assert.strictEqual((yield* askAnew(fixture)).body, "at once")
      reader.resume()
      assert.strictEqual(yield* Effect.promise(() => closed), "reader")
    }))
})

const sending = (size: number) => {
  const socket = { bytesRead: 100, bytesWritten: size, writableLength: size }
  const connection = new ClientConnection(socket, 0)
  const request = new IncomingMessage(new Socket())
  request.complete = true
  connection.begin(new ServerResponse(request), 0)
  const read = (bytes: number) => {
    socket.writableLength = size - bytes
  }
  return { connection, socket, read }
}

const seconds = 1000

describe("A response that waits for its client", () => {
  it("may take half a minute, and then 16 kB a second on average", () => {
    const { connection, read } = sending(10_000_000)
    assert.isFalse(connection.check(0))
    assert.isFalse(connection.check(30 * seconds))
    read(16_384 * 100)
    assert.isFalse(connection.check(129 * seconds))
    assert.isTrue(connection.check(131 * seconds))
  })

  it("has its half minute again after the client has read all", () => {
    const { connection, read } = sending(10_000_000)
    connection.check(0)
    read(10_000_000)
    assert.isFalse(connection.check(40 * seconds))
    read(0)
    assert.isFalse(connection.check(60 * seconds))
    assert.isFalse(connection.check(89 * seconds))
    assert.isTrue(connection.check(91 * seconds))
  })

  it("has the time when the client last read or sent a byte", () => {
    const { connection, read, socket } = sending(10_000_000)
    connection.check(1 * seconds)
    connection.check(2 * seconds)
    assert.strictEqual(connection.movedAt, 0)
    read(1)
    connection.check(3 * seconds)
    assert.strictEqual(connection.movedAt, 3 * seconds)
    socket.bytesRead++
    connection.check(4 * seconds)
    assert.strictEqual(connection.movedAt, 4 * seconds)
    assert.isTrue(connection.waitsForClient)
    read(10_000_000)
    assert.isFalse(connection.waitsForClient)
  })
})
