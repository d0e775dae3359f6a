import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { freePort } from "../../../scripts/FreePort.ts"
import { signedIn } from "../../support/SignedIn.ts"
import { TestServer } from "../../support/TestServer.ts"
import { installed } from "../Mcp/McpClients.ts"
import { baseUrlOf, consent, registered } from "./Fixture.ts"

layer(TestServer.layer, { excludeTestServices: true })("The official conformance suite", (it) => {
  it.effect("passes for the authorization server", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const member = yield* signedIn()
      const clientId = yield* registered({ redirect_uris: ["http://127.0.0.1/callback"] })
      const url = baseUrlOf(server)
      const suite = spawn(process.execPath, [
        installed("@modelcontextprotocol/conformance/dist/index.js"),
        "authorization",
        "--url",
        url,
        "--client-id",
        clientId,
        "--resource",
        `${url}/mcp`,
        "--port",
        `${yield* Effect.promise(freePort)}`
      ])
      let output = ""
      suite.stderr.on("data", (chunk) => output += chunk)
      const asked = yield* Effect.callback<URL>((resume) => {
        suite.stdout.on("data", (chunk) => {
          output += chunk
          const [found] =
            /http:\/\/localhost:\d+\/oauth\/authorize\?\S+(?=\s[^]*Callback server started)/.exec(output) ?? []
          if (found !== undefined) resume(Effect.succeed(new URL(found)))
        })
      })
      const callback = yield* consent(member, { verifier: "", parameters: Object.fromEntries(asked.searchParams) })
      yield* Effect.promise(() => fetch(callback))
      const exitCode = yield* Effect.callback<number | null>((resume) => {
        suite.on("close", (code) => resume(Effect.succeed(code)))
      })
      assert.include(output, "3 passed, 0 failed")
      assert.strictEqual(exitCode, 0)
    }))
})
