import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as http from "node:http"
import { freePort } from "../../../scripts/FreePort.ts"
import { providers } from "../../../src/Registrations.ts"
import { inputs } from "../../Service/EveryOperation.ts"
import { at, connectAll, sandboxServer } from "../../Service/SandboxServer.ts"
import { eventually } from "../../support/Eventually.ts"
import { listening } from "../../support/Listening.ts"
import { signedIn } from "../../support/SignedIn.ts"
import { TestDataDir, TestServer } from "../../support/TestServer.ts"
import { AgentSite } from "../AgentAccess/AgentSite.ts"
import { baseUrlOf, consent, registered } from "../AgentAccess/Fixture.ts"
import { AgentSignIn } from "./AgentSignIn.ts"
import { installed, mcpRemote, newest, newestSignIn, sdk1, sdk1SignIn } from "./McpClients.ts"

const clients = [
  { client: "@modelcontextprotocol/client, by default", connect: newest(undefined), calls: Infinity },
  { client: "@modelcontextprotocol/client, which negotiates", connect: newest("auto"), calls: Infinity },
  {
    client: "@modelcontextprotocol/client, pinned to 2026-07-28",
    connect: newest({ pin: "2026-07-28" }),
    calls: Infinity
  },
  { client: "@modelcontextprotocol/sdk 1", connect: sdk1, calls: Infinity },
  { client: "mcp-remote", connect: mcpRemote, calls: 2 }
]

const signIns = [
  { client: "@modelcontextprotocol/client", signIn: newestSignIn, registers: true },
  { client: "@modelcontextprotocol/client", signIn: newestSignIn, registers: false },
  { client: "@modelcontextprotocol/sdk 1", signIn: sdk1SignIn, registers: true },
  { client: "@modelcontextprotocol/sdk 1", signIn: sdk1SignIn, registers: false }
].map((each) => ({ ...each, how: each.registers ? "registers" : "names its metadata document" }))

const smartTools = providers.flatMap(({ id, tools }) =>
  tools.map(({ name }) => ({ name, input: inputs[`${id} ${name}`] ?? {} }))
)

const TestLayer = sandboxServer({ OAUTH_ALLOW_PRIVATE_CLIENTS: "true" }).pipe(
  Layer.provideMerge(Layer.merge(TestDataDir.layer, AgentSite.layer))
)

layer(TestLayer, { excludeTestServices: true })("An official client", (it) => {
  it.effect.each(clients)("$client lists the tools and calls them", ({ calls, connect }) =>
    Effect.gen(function*() {
      const { url } = yield* TestServer
      const key = yield* connectAll
      const client = yield* Effect.acquireRelease(
        Effect.promise(() => connect(new URL(`${url}/mcp`), key)),
        (client) => Effect.promise(() => client.close())
      )
      const { tools } = yield* Effect.promise(() => client.listTools())
      assert.includeMembers(tools.map(({ name }) => name), smartTools.map(({ name }) => name))
      for (const { input, name } of smartTools.slice(0, calls)) {
        const result = yield* Effect.promise(() => client.callTool({ name, arguments: { ...input } }))
        const said = `${name}: ${JSON.stringify(result).slice(0, 500)}`
        assert.isUndefined(at(result, "isError"), said)
        assert.isDefined(at(result, "structuredContent.data"), said)
      }
    }))

  it.effect.each(signIns)(
    "$client $how, signs in, refreshes, and loses access with its grant",
    ({ registers, signIn }) =>
      Effect.gen(function*() {
        const server = yield* TestServer
        yield* connectAll
        const url = new URL("/mcp", baseUrlOf(server))
        const member = yield* signedIn()
        const site = yield* AgentSite
        const clientId = `${site.url}/agent.json`
        const agent = new AgentSignIn(registers ? undefined : clientId)
        site.publish("/agent.json", { body: JSON.stringify({ client_id: clientId, ...agent.clientMetadata }) })
        const first = signIn(url, agent)
        yield* Effect.flip(Effect.tryPromise(first.connect))
        const parameters = Object.fromEntries(agent.asked?.searchParams ?? [])
        assert.deepInclude(parameters, { scope: "read write", resource: url.href, code_challenge_method: "S256" })
        assert.strictEqual(parameters["client_id"] === clientId, !registers)
        const callback = yield* consent(member, { verifier: "", parameters })
        yield* Effect.promise(() => first.finish(callback))

        const toolNames = Effect.scoped(Effect.gen(function*() {
          const client = yield* Effect.acquireRelease(
            Effect.tryPromise(signIn(url, agent).connect),
            (client) => Effect.promise(() => client.close())
          )
          const { tools } = yield* Effect.tryPromise(() => client.listTools())
          return tools.map(({ name }) => name)
        }))
        const names = yield* toolNames
        assert.include(names, "sheets_read")
        assert.notInclude(names, "sheets_append_rows")

        const before = agent.kept ?? assert.fail("There are no tokens")
        agent.kept = { ...before, access_token: `${before.access_token.slice(0, -1)}~` }
        assert.deepStrictEqual(yield* toolNames, names)
        assert.notStrictEqual(agent.kept.refresh_token, before.refresh_token)

        const { grants } = yield* server.admin.grants.list({ query: {} })
        const grant = grants.find(({ member_id }) => member_id === member.member.id) ??
          assert.fail("There is no grant")
        yield* server.admin.grants.revoke({ params: { id: grant.id } })
        agent.asked = undefined
        yield* Effect.flip(toolNames)
        assert.isDefined(agent.asked, "The client asks the member again")
      })
  )

  it.effect.each(["2025-11-25", "2026-07-28"])(
    "the conformance suite passes for %s, except scenarios that do not apply",
    (revision) =>
      Effect.gen(function*() {
        const port = yield* proxyTo((yield* TestServer).url, yield* connectAll)
        const url = `http://localhost:${port}/mcp`
        const { exited, output } = yield* conformance("server", { url, requirements: revision })
        const [exitCode] = yield* exited
        assert.strictEqual(exitCode, 0, output().slice(-3000))
      })
  )

  it.effect("the conformance suite passes for the authorization server", () =>
    Effect.gen(function*() {
      const url = baseUrlOf(yield* TestServer)
      const { exited, output } = yield* conformance("authorization", {
        url,
        "client-id": yield* registered({ redirect_uris: ["http://127.0.0.1/callback"] }),
        resource: `${url}/mcp`,
        port: `${yield* Effect.promise(freePort)}`
      })
      const asks = /http:\/\/localhost:\d+\/oauth\/authorize\?\S+(?=\s[^]*Callback server started)/
      const printed = yield* eventually(Effect.sync(output), (text) => asks.test(text))
      const { searchParams } = new URL(asks.exec(printed)?.[0] ?? "")
      const callback = yield* consent(yield* signedIn(), { verifier: "", parameters: Object.fromEntries(searchParams) })
      yield* Effect.promise(() => fetch(callback))
      const [exitCode] = yield* exited
      assert.include(output(), "3 passed, 0 failed")
      assert.strictEqual(exitCode, 0)
    }))
})

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
