import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { connect, createServer, type Socket } from "node:net"
import { listening } from "./Listening.ts"
import { RealPostgres } from "./RealPostgres.ts"

/**
 * A strict pooler in transaction mode. A client gets a database session for each transaction, in turn. Prepared
 * statements, settings, locks and `LISTEN` stay with the session. Refuses clients that set session parameters at the
 * start, name a statement or pipeline queries.
 */
export class TransactionPooler extends Context.Service<TransactionPooler, {
  readonly url: Redacted.Redacted
  readonly directUrl: Redacted.Redacted
  readonly refusals: ReadonlyArray<string>
  readonly transactions: () => number
}>()("openaccounts/test/TransactionPooler") {
  static readonly make = Effect.fnUntraced(function*(
    target: Redacted.Redacted
  ): Effect.fn.Return<TransactionPooler["Service"], never, Scope.Scope> {
    const url = new URL(Redacted.value(target))
    const sessions = yield* Effect.acquireRelease(
      Effect.promise(() => Promise.all(Array.from({ length: 3 }, () => openSession(url)))),
      (sessions) => Effect.sync(() => sessions.forEach(({ socket }) => socket.destroy()))
    )
    const free = [...sessions]
    const waiting: Array<(session: Session) => void> = []
    const refusals: Array<string> = []
    let transactions = 0

    const take = (give: (session: Session) => void) => {
      const session = free.shift()
      if (session === undefined) waiting.push(give)
      else give(session)
    }
    const release = (session: Session) => {
      session.onMessage = undefined
      transactions++
      const next = waiting.shift()
      if (next === undefined) free.push(session)
      else next(session)
    }

    const serve = (client: Socket) => {
      let session: Session | undefined
      let isWaiting = false
      let asked = 0
      let kept: Array<Buffer> = []

      const refuse = (why: string) => {
        refusals.push(why)
        client.end(message("E", `SFATAL\0C08P01\0M${why}\0\0`))
      }
      const give = (given: Session) => {
        isWaiting = false
        session = given
        given.onMessage = (type, bytes) => {
          client.write(bytes)
          if (type !== "Z") return
          asked = 0
          if (bytes.at(-1) !== idle) return
          session = undefined
          release(given)
        }
        for (const bytes of kept) given.socket.write(bytes)
        kept = []
      }

      const onStartup = (bytes: Buffer) => {
        const code = bytes.readInt32BE(4)
        if (code === sslRequest) client.write("N")
        else if (code !== startupVersion) client.destroy()
        else signIn(bytes)
      }
      const signIn = (bytes: Buffer) => {
        const parameters = bytes.subarray(8).toString().split("\0")
        const unknown = parameters.find((word, index) => index % 2 === 0 && word !== "" && !startupParameters.has(word))
        if (unknown !== undefined) return refuse(`unsupported startup parameter: ${unknown}`)
        parser.next = onMessage
        client.write(Buffer.concat([message("R", "\0\0\0\0"), sessions[0]?.greeting ?? Buffer.alloc(0)]))
      }
      const onMessage = (bytes: Buffer, type: string) => {
        if (type === "X") {
          client.end()
          return
        }
        if (type === "P" && bytes[5] !== 0) return refuse("a named statement would be lost")
        if (asked > 0) return refuse("the answer to what was asked before is due first")
        if (type === "S" || type === "Q") asked++
        if (session !== undefined) {
          session.socket.write(bytes)
          return
        }
        kept.push(bytes)
        if (isWaiting) return
        isWaiting = true
        take(give)
      }
      const parser: Parser = { next: onStartup, typed: () => parser.next === onMessage, rest: Buffer.alloc(0) }
      client.on("data", (chunk) => parse(parser, chunk))
      client.on("error", () => client.destroy())
    }

    const pooled = new URL(url)
    pooled.port = `${yield* listening(createServer({ noDelay: true }, serve))}`
    return { url: Redacted.make(pooled.href), directUrl: target, refusals, transactions: () => transactions }
  })

  static readonly layer = Layer.effect(
    TransactionPooler,
    Effect.flatMap(Effect.flatMap(RealPostgres, ({ createDatabase }) => createDatabase), TransactionPooler.make)
  )
}

const startupVersion = 196_608
const sslRequest = 80_877_103
const idle = "I".charCodeAt(0)

const startupParameters = new Set(["user", "database", "application_name", "client_encoding"])

interface Session {
  readonly socket: Socket
  readonly greeting: Buffer
  onMessage: ((type: string, bytes: Buffer) => void) | undefined
}

const openSession = (url: URL) =>
  new Promise<Session>((resolve, reject) => {
    const socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true })
    const greeting: Array<Buffer> = []
    const onSignIn = (bytes: Buffer, type: string) => {
      if (type === "E") return reject(new Error(bytes.toString()))
      if (type === "R") {
        if (bytes.readInt32BE(5) === 3) socket.write(message("p", `${url.password}\0`))
        return
      }
      greeting.push(bytes)
      if (type !== "Z") return
      const session: Session = { socket, greeting: Buffer.concat(greeting), onMessage: undefined }
      parser.next = (bytes, type) => session.onMessage?.(type, bytes)
      resolve(session)
    }
    const parser: Parser = { next: onSignIn, typed: () => true, rest: Buffer.alloc(0) }
    socket.on("data", (chunk) => parse(parser, chunk)).on("error", reject)
    const parameters = `user\0${url.username}\0database\0${url.pathname.slice(1)}\0\0`
    const startup = Buffer.alloc(8)
    startup.writeInt32BE(8 + Buffer.byteLength(parameters))
    startup.writeInt32BE(startupVersion, 4)
    socket.write(Buffer.concat([startup, Buffer.from(parameters)]))
  })

const message = (type: string, body: string): Buffer => {
  const head = Buffer.alloc(5, type)
  head.writeInt32BE(4 + Buffer.byteLength(body), 1)
  return Buffer.concat([head, Buffer.from(body)])
}

interface Parser {
  next: (message: Buffer, type: string) => void
  /** The first message of a client has no type. */
  readonly typed: () => boolean
  rest: Buffer
}

const parse = (parser: Parser, chunk: Buffer) => {
  parser.rest = Buffer.concat([parser.rest, chunk])
  while (true) {
    const at = parser.typed() ? 1 : 0
    if (parser.rest.length < at + 4) return
    const length = at + parser.rest.readInt32BE(at)
    if (parser.rest.length < length) return
    const bytes = parser.rest.subarray(0, length)
    parser.rest = parser.rest.subarray(length)
    parser.next(bytes, at === 1 ? String.fromCharCode(bytes[0] ?? 0) : "")
  }
}
