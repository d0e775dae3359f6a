import { Effect } from "effect"
import { spawn } from "node:child_process"
import * as http from "node:http"
import { text } from "node:stream/consumers"
import { listening } from "../../support/Listening.ts"
import { TestDataDir } from "../../support/TestServer.ts"
import { installed } from "./McpClients.ts"

export const proxyTo = (target: string, key: string) => {
  const { hostname, port } = new URL(target)
  return listening(http.createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${key}` }
    const { method, url: path } = request
    request.pipe(http.request({ hostname, port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    }))
  }))
}

export const conformance = Effect.fnUntraced(function*(url: string, revision: string) {
  const child = spawn(process.execPath, [
    installed("@modelcontextprotocol/conformance/dist/index.js"),
    "server",
    "--url",
    url,
    "--requirements",
    revision,
    "--expected-failures",
    new URL("Conformance.yml", import.meta.url).pathname
  ], { cwd: yield* TestDataDir })
  return yield* Effect.promise(() =>
    Promise.all([text(child.stdout), new Promise((resolve) => child.once("exit", resolve))])
  )
})
