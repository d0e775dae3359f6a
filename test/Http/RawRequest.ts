import { Effect } from "effect"
import * as net from "node:net"
import { TestServer } from "../support/TestServer.ts"

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export const sendRaw = Effect.fnUntraced(function*(request: string | Uint8Array) {
  const server = yield* TestServer
  const received = yield* Effect.callback<string>((resume) => {
    const { hostname, port } = new URL(server.url)
    const socket = net.connect(Number(port), hostname)
    let received = ""
    socket.setEncoding("utf8")
    socket.on("data", (chunk: string) => void (received += chunk))
    socket.on("close", () => resume(Effect.succeed(received)))
    socket.on("error", (error) => resume(Effect.die(error)))
    socket.write(request)
    return Effect.sync(() => socket.destroy())
  })
  const [head = "", ...body] = received.split("\r\n\r\n")
  const [statusLine = "", ...lines] = head.split("\r\n")
  const headers = new Headers(lines.map((line): [string, string] => {
    const colon = line.indexOf(":")
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  }))
  return { status: Number(statusLine.split(" ")[1]), headers, text: body.join("\r\n\r\n") } satisfies RawAnswer
})

export const requestHead = (method: string, target: string, headers: Readonly<Record<string, string>> = {}): string =>
  [
    `${method} ${target} HTTP/1.1`,
    ...Object.entries({ host: "localhost", connection: "close", ...headers }).map(([name, value]) =>
      `${name}: ${value}`
    ),
    "",
    ""
  ].join("\r\n")
