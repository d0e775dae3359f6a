import { Effect } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as http from "node:http"
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

const expectedFailures = new URL("Conformance.yml", import.meta.url).pathname

/** Starts the official suite: what it has printed so far, and its end with the exit code. */
export const conformance = Effect.fnUntraced(
  function*(suite: "server" | "authorization", options: Readonly<Record<string, string>>) {
    const all = suite === "server" ? { ...options, "expected-failures": expectedFailures } : options
    const child = spawn(process.execPath, [
      installed("@modelcontextprotocol/conformance/dist/index.js"),
      suite,
      ...Object.entries(all).flatMap(([name, value]) => [`--${name}`, value])
    ], { cwd: yield* TestDataDir })
    let output = ""
    child.stdout.on("data", (chunk) => output += chunk)
    return { output: () => output, exited: Effect.promise(() => once(child, "close")) }
  }
)
