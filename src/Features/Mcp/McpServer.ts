import type { ServerContext } from "@modelcontextprotocol/server"
import { Effect, FiberSet } from "effect"
import { randomUUID } from "node:crypto"
import type { ToolNotFound } from "../../Api/Errors.ts"
import type { CallId } from "../../Domain/Ids.ts"
import { canElicit, type Elicitation } from "./Elicitation.ts"
import type { Messages } from "./Messages.ts"
import type { ToolCall } from "./ToolCalls.ts"
import type { ToolDefinition } from "./Tools/ToolDefinition.ts"
import type { ToolResult } from "./Tools/ToolResult.ts"

/** Loading takes 0.2 s, so the first request does it. */
const library = Effect.runSync(
  Effect.cached(Effect.uninterruptible(Effect.promise(() => import("@modelcontextprotocol/server"))))
)

/** How long a client may cache what depends on the caller's rights. */
const cacheHint = { ttlMs: 60_000, cacheScope: "private" } as const

/**
 * Clients of revisions with `initialize` declare only there what they can. Those that can show pages get a session that
 * says so, and nothing else.
 */
const sessionHeader = "mcp-session-id"
const elicitingSession = "url-elicitation-"

/** The name of the only question that a call asks. */
const inputName = "approval"
const question = "A write waits for your approval. The page shows what it changes."

export interface McpRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly json: unknown
  readonly exactArguments: Messages["exactArguments"]
  readonly instructions: string
  readonly list: Effect.Effect<ReadonlyArray<ToolDefinition>>
  readonly call: (call: ToolCall) => Effect.Effect<ToolResult, { readonly id: CallId; readonly error: ToolNotFound }>
}

export interface McpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Responds to one stateless request of any protocol revision. Creating a server for it takes 6 µs. */
export const respond = Effect.fnUntraced(function* respond(incoming: McpRequest) {
  const {
    createMcpHandler,
    inputRequired,
    inputResponse,
    isLegacyRequest,
    ProtocolError,
    ProtocolErrorCode,
    Server,
    UrlElicitationRequiredError,
    WebStandardStreamableHTTPServerTransport
  } = yield* library
  const run = yield* FiberSet.makeRuntimePromise()
  const results = new Map<string, string>()
  let isLegacy = false

  const elicitationOf = ({ mcpReq }: ServerContext): Elicitation | undefined => {
    if (isLegacy) return incoming.headers[sessionHeader]?.startsWith(elicitingSession) === true ? "unknown" : undefined
    if (!canElicit(mcpReq.envelope)) return undefined
    const response = inputResponse(mcpReq.inputResponses, inputName)
    if (response.kind !== "elicit") return "not asked"
    return response.action === "accept" ? "accepted" : "declined"
  }

  const server = new Server({ name: "openaccounts", title: "OpenAccounts", version: "1" }, {
    capabilities: { tools: {} },
    instructions: incoming.instructions,
    cacheHints: { "tools/list": cacheHint, "server/discover": cacheHint }
  })
  server.setRequestHandler("tools/list", async ({ params }) => {
    // The list is one page, so no page has returned a cursor.
    if (params?.cursor) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such cursor.")
    return { tools: [...await run(incoming.list)] }
  })
  server.setRequestHandler("tools/call", async ({ params }, context: ServerContext) => {
    const elicitation = elicitationOf(context)
    const call = {
      name: params.name,
      args: params.arguments ?? {},
      exactArgs: () => incoming.exactArguments(context.mcpReq.id),
      meta: params._meta ?? {},
      ...elicitation === undefined ? {} : { elicitation }
    }
    const { elicits, isError, json, meta } = await run(
      Effect.catch(
        incoming.call(call),
        ({ error, id }) =>
          Effect.die(new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, error.body(id, "agent")))
      ),
      { signal: context.mcpReq.signal }
    )
    if (elicits !== undefined) {
      const { id: elicitationId, message, url } = elicits
      const shown = { message: question, url }
      if (isLegacy) throw new UrlElicitationRequiredError([{ mode: "url", elicitationId, ...shown }], message)
      return inputRequired({ inputRequests: { [inputName]: inputRequired.elicitUrl(shown) } })
    }
    // A placeholder, because the library would parse the JSON and lose digits of numbers.
    const placeholder = { "openaccounts/result": randomUUID() }
    results.set(JSON.stringify(placeholder), json)
    return {
      content: [{ type: "text", text: json }],
      structuredContent: placeholder,
      ...isError ? { isError } : {},
      ...meta === undefined ? {} : { _meta: meta }
    }
  })

  const close = () => void server.close()
  return yield* Effect.promise(async (signal): Promise<McpResponse> => {
    const request = new Request(incoming.url, { method: "POST", headers: incoming.headers, signal })
    const handle = async (): Promise<Response> => {
      isLegacy = await isLegacyRequest(request, incoming.json)
      if (!isLegacy) {
        const handler = createMcpHandler(() => server, { legacy: "reject" })
        const response = await handler.fetch(request, { parsedBody: incoming.json })
        // A subscription: the service sends no notifications, so the stream ends after the acknowledgement.
        if (response.headers.get("content-type") === "text/event-stream") await handler.close()
        return response
      }
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
      await server.connect(transport)
      return transport.handleRequest(request, { parsedBody: incoming.json })
    }
    signal.addEventListener("abort", close)
    const response = await handle()
    const text = await response.text()
    // Fetch keeps the signal of a request for a while, and with it all that its listeners refer to.
    signal.removeEventListener("abort", close)
    const headers = Object.fromEntries(response.headers)
    if (isLegacy && server.getClientCapabilities()?.elicitation?.url !== undefined) {
      headers[sessionHeader] = elicitingSession + randomUUID()
    }
    return { status: response.status, headers, text: insert(text, results) }
  })
})

const insert = (text: string, results: ReadonlyMap<string, string>): string =>
  [...results].reduce((whole, [placeholder, json]) => whole.replace(placeholder, () => json), text)
