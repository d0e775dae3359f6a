import { assert, type Vitest } from "@effect/vitest"
import { Effect, type Layer, Schema } from "effect"
import { providers } from "../../../src/Registrations.ts"
import { at } from "../../Service/SandboxServer.ts"
import { TestServer } from "../../support/TestServer.ts"

const Result = Schema.Struct({
  result: Schema.Struct({
    content: Schema.Tuple([Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })]),
    structuredContent: Schema.Record(Schema.String, Schema.Any),
    isError: Schema.optionalKey(Schema.Boolean),
    _meta: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
  })
})

const Tools = Schema.Struct({
  result: Schema.Struct({
    tools: Schema.Array(Schema.Struct({
      name: Schema.String,
      title: Schema.String,
      description: Schema.String,
      inputSchema: Schema.Record(Schema.String, Schema.Any),
      annotations: Schema.Record(Schema.String, Schema.Any)
    }))
  })
})

const decodeResult = Schema.decodeUnknownSync(Result)
const decodeTools = Schema.decodeUnknownSync(Tools)

export const rpc = Effect.fnUntraced(
  function*(key: string, method: string, params: object = {}, headers: Record<string, string> = {}) {
    const server = yield* TestServer
    return yield* server.request("POST", "/mcp", { key, headers, body: { jsonrpc: "2.0", id: 1, method, params } })
  }
)

export const listTools = (key: string) =>
  Effect.map(rpc(key, "tools/list"), ({ json, text }) => ({ tools: decodeTools(json).result.tools, text }))

export const callTool = Effect.fnUntraced(function*(key: string, name: string, args: object = {}, meta?: object) {
  const answer = yield* rpc(key, "tools/call", { name, arguments: args, ...meta === undefined ? {} : { _meta: meta } })
  assert.strictEqual(answer.status, 200, answer.text)
  const { result } = decodeResult(answer.json)
  const [{ text }] = result.content
  assert.deepStrictEqual(JSON.parse(text), result.structuredContent)
  return { answer, text, value: result.structuredContent, isError: result.isError ?? false, meta: result._meta ?? {} }
})

export const pluck = (list: unknown, path: string): Array<unknown> =>
  Array.isArray(list) ? list.map((each) => at(each, path)) : assert.fail("Expected a list")

const writes = (provider: string, endpoint: string): boolean =>
  providers.find(({ id }) => id === provider)?.endpoints.find(({ id }) => id === endpoint)?.writes ?? false

export const toolOf = (body: unknown): readonly [name: string, args: object] => {
  const { endpoint = "", input, provider, tool, ...others } = Object(body)
  if (tool !== undefined) return [tool, { ...input, ...others }]
  const args = { provider, endpoint, ...input === undefined ? {} : { input }, ...others }
  return [writes(provider, endpoint) ? "call_write_endpoint" : "call_read_endpoint", args]
}

export const overMcp = Effect.map(TestServer, (server) =>
  TestServer.of({
    ...server,
    call: (key = "", body) => {
      const [name, args] = toolOf(body)
      return Effect.map(
        Effect.provideService(callTool(key, name, args), TestServer, server),
        ({ answer, isError, text, value }) => ({ ...answer, status: isError ? 400 : 200, json: value, text })
      )
    }
  }))

export const newestRevision = {
  headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" },
  params: {
    _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} }
  }
}

export type McpTests = (it: Vitest.MethodsNonLive<Layer.Success<typeof TestServer.layer>>) => void
