import * as fc from "fast-check"
import * as net from "node:net"
import type { FuzzRequest } from "./FuzzRequests.ts"

const lines = fc.constantFrom(
  "content-length: -1",
  "content-length: 5",
  "content-length: 99999999999999999999",
  "content-length: 0x10",
  "transfer-encoding: chunked",
  "transfer-encoding: gzip, chunked",
  "transfer-encoding : chunked",
  "Transfer-Encoding:\u000bchunked",
  "connection: upgrade\r\nupgrade: h2c",
  "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: x\r\nsec-websocket-version: 13",
  "expect: 100-continue",
  "expect: the unexpected",
  "host:",
  ": no name",
  " folded",
  "no colon",
  "x: \0",
  `x: ${"y".repeat(20_000)}`,
  "\r\nGET /v1/logs HTTP/1.1",
  "5\r\n{\"a\":\r\n0\r\n\r\n"
)

const startLines = fc.constantFrom(
  "",
  "GET",
  "GET /v1/providers",
  "GET /v1/providers HTTP/9.9",
  "GET  /v1/providers HTTP/1.1",
  "GET http://evil.example/v1/providers HTTP/1.1",
  "GET //evil.example/v1 HTTP/1.1",
  "GET ?x HTTP/1.1",
  "GET /\u0001 HTTP/1.1",
  "CONNECT evil.example:443 HTTP/1.1",
  "OPTIONS * HTTP/1.1",
  "PRI * HTTP/2.0",
  "\u0016\u0003\u0001\u0002",
  "get /v1/providers HTTP/1.1",
  `GET /${"x".repeat(20_000)} HTTP/1.1`,
  `${"A".repeat(200)} / HTTP/1.1`
)

const written = ({ body, headers, method, path }: FuzzRequest): ReadonlyArray<string> => [
  `${method} ${path} HTTP/1.1`,
  "host: localhost",
  "connection: close",
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ...(body === undefined ? [] : [`content-length: ${body.length}`])
]

const one = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })

const bytes = (head: ReadonlyArray<string>, { body = Buffer.alloc(0) }: FuzzRequest, end = "\r\n") =>
  Buffer.concat([Buffer.from([...head, "", ""].join(end), "latin1"), body.subarray(0, 5_000)])

export const nearlyHttp = (request: fc.Arbitrary<FuzzRequest>): fc.Arbitrary<Buffer> =>
  request.chain((request) => {
    const [start = "", ...headers] = written(request)
    const whole = bytes([start, ...headers], request)
    return fc.oneof(
      fc.constant(whole),
      startLines.map((other) => bytes([other, ...headers], request)),
      fc.tuple(lines, fc.nat(headers.length)).map(([line, at]) =>
        bytes([start, ...headers.slice(0, at), line, ...headers.slice(at)], request)
      ),
      fc.constantFrom("\n", "\r", "\r\n ").map((end) => bytes([start, ...headers], request, end)),
      one.map((part) => whole.subarray(0, Math.ceil(part * whole.length))),
      fc.tuple(one, fc.integer({ min: 0, max: 255 })).map(([part, byte]) => {
        const at = Math.floor(part * whole.length)
        return Buffer.concat([whole.subarray(0, at), Buffer.of(byte), whole.subarray(at)])
      })
    )
  })

export const exchange = (url: string, bytes: Buffer, { ends = true } = {}): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    let received = ""
    const done = () => (socket.destroy(), resolve(received))
    socket.setEncoding("latin1").on("data", (text: string) => received += text)
    socket.on("end", done).on("error", done).on("close", done)
    if (ends) socket.end(bytes)
    else socket.write(bytes)
  })

export const statusesIn = (received: string): ReadonlyArray<number> =>
  [...received.matchAll(/(?<=^|\r\n|\})HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
