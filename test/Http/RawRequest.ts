import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as net from "node:net"
import * as undici from "undici"
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

export const sendAndDisconnect = Effect.fnUntraced(function*(part: string) {
  const { hostname, port } = new URL((yield* TestServer).url)
  yield* Effect.callback<void>((resume) => {
    const socket = net.connect(Number(port), hostname).on("close", () => resume(Effect.void))
    socket.write(part, () => socket.destroy())
  })
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

/** The body as it was encoded. `fetch` would ask for an encoding and decode it. */
export const send = (
  path: string,
  { accept, body, key }: { readonly accept?: string; readonly body?: unknown; readonly key?: string }
) =>
  Effect.flatMap(TestServer, ({ url }) =>
    Effect.promise(async () => {
      const response = await undici.request(url + path, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          ...accept === undefined ? {} : { "accept-encoding": accept },
          ...key === undefined ? {} : { authorization: `Bearer ${key}` }
        },
        ...body === undefined ? {} : { body: JSON.stringify(body) }
      })
      return { headers: response.headers, body: Buffer.from(await response.body.arrayBuffer()) }
    }))

export const assertSecured = (headers: Headers, what?: string) => {
  assert.strictEqual(headers.get("x-content-type-options"), "nosniff", what)
  assert.strictEqual(headers.get("referrer-policy"), "no-referrer", what)
  assert.include(headers.get("content-security-policy") ?? "", "frame-ancestors 'none'", what)
}
