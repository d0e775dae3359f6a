import type { ServerContext } from "@modelcontextprotocol/server"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { ToolNotFound } from "../Api/Errors.ts"
import type { CallId } from "../Domain/Ids.ts"
import type { ToolCall } from "./ToolCalls.ts"
import type { ToolDefinition } from "./ToolDefinition.ts"
import type { ToolResult } from "./ToolResult.ts"

/** It costs 0.2 s, so it is loaded for the first request. */
const library = Effect.runSync(
  Effect.cached(Effect.uninterruptible(Effect.promise(() => import("@modelcontextprotocol/server"))))
)

/** How long a client of the newest revision may keep what depends on rights. */
const cacheHint = { ttlMs: 60_000, cacheScope: "private" } as const

export interface Exchange {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly json: unknown
  readonly instructions: string
  readonly list: Effect.Effect<ReadonlyArray<ToolDefinition>>
  readonly call: (call: ToolCall) => Effect.Effect<ToolResult, { readonly id: CallId; readonly error: ToolNotFound }>
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/**
 * Answers one request of any revision of the protocol, without a session. Each request has a server of its own, which
 * costs 6 µs.
 */
export const answer = Effect.fnUntraced(function*(exchange: Exchange) {
  const {
    createMcpHandler,
    isLegacyRequest,
    ProtocolError,
    ProtocolErrorCode,
    Server,
    WebStandardStreamableHTTPServerTransport
  } = yield* library
  const run = Effect.runPromiseWith(yield* Effect.context())
  const results = new Map<string, string>()

  const server = new Server({ name: "openaccounts", title: "OpenAccounts", version: "1" }, {
    capabilities: { tools: {} },
    instructions: exchange.instructions,
    cacheHints: { "tools/list": cacheHint, "server/discover": cacheHint }
  })
  server.setRequestHandler("tools/list", async () => ({ tools: [...await run(exchange.list)] }))
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }: ServerContext) => {
    const call = { name: params.name, args: params.arguments ?? {}, meta: params._meta ?? {} }
    const { isError, json, meta } = await run(
      Effect.catch(
        exchange.call(call),
        ({ error, id }) => Effect.die(new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, error.body(id)))
      ),
      { signal: mcpReq.signal }
    )
    // The library would parse and write the numbers of a provider anew.
    const placeholder = { "openaccounts/result": randomUUID() }
    results.set(JSON.stringify(placeholder), json)
    return {
      content: [{ type: "text", text: json }],
      structuredContent: placeholder,
      ...isError ? { isError } : {},
      ...meta === undefined ? {} : { _meta: meta }
    }
  })

  return yield* Effect.promise(async (signal): Promise<Answer> => {
    const request = new Request(exchange.url, { method: "POST", headers: exchange.headers, signal })
    const respond = async (): Promise<Response> => {
      if (!(await isLegacyRequest(request, exchange.json))) {
        const handler = createMcpHandler(() => server, { legacy: "reject" })
        const response = await handler.fetch(request, { parsedBody: exchange.json })
        // A subscription: nothing is sent later, so its stream ends after the acknowledgement.
        if (response.headers.get("content-type") === "text/event-stream") await handler.close()
        return response
      }
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
      await server.connect(transport)
      return transport.handleRequest(request, { parsedBody: exchange.json })
    }
    signal.addEventListener("abort", () => void server.close())
    const response = await respond()
    const text = await response.text()
    return { status: response.status, headers: Object.fromEntries(response.headers), text: insert(text, results) }
  })
})

const insert = (text: string, results: ReadonlyMap<string, string>): string =>
  [...results].reduce((whole, [placeholder, json]) => whole.replace(placeholder, () => json), text)
