import { Effect, Exit, Predicate } from "effect"
import { strictEqual } from "node:assert"
import { respond } from "../../../src/Features/Mcp/McpServer.ts"
import { parseMessages } from "../../../src/Features/Mcp/Messages.ts"
import { annotate } from "../../../src/Features/Mcp/Tools/ToolDefinition.ts"
import { expect, parseJson, partsOf, type Target } from "../Target.ts"

const meta = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"," +
  "\"io.modelcontextprotocol/clientCapabilities\":{}}"

const tool = {
  name: "read",
  title: "Read",
  description: "Reads.",
  inputSchema: { type: "object" as const },
  annotations: annotate("Read", {})
}

const idsIn = (json: unknown): ReadonlyArray<unknown> =>
  (Array.isArray(json) ? json : [json]).map((message) => Predicate.hasProperty(message, "id") ? message.id : undefined)

const isAnswer = (message: unknown): boolean =>
  Predicate.hasProperty(message, "jsonrpc") && message.jsonrpc === "2.0" &&
  Predicate.hasProperty(message, "result") !== Predicate.hasProperty(message, "error")

const header = (name: string, value: string) => /^[\x21-\x7e]+$/.test(value) ? { [name]: value } : {}

/** A message or a batch, and after NULs the headers that say its revision and its method. */
export const messages: Target = {
  isAsync: true,
  seeds: [
    `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{${meta}}}\u00002026-07-28\0tools/list`,
    `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"read","arguments":{"a":1.0},${meta}}}` +
    "\u00002026-07-28\0tools/call",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\"," +
    "\"capabilities\":{\"elicitation\":{\"url\":{}}},\"clientInfo\":{\"name\":\"a\",\"version\":\"1\"}}}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\u00002025-06-18",
    "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\"," +
    "\"params\":{\"name\":\"read\"}}]\u00002025-03-26",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\u00002025-06-18",
    `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{${meta}}}\u00002026-07-28\0server/discover`,
    `{"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{${meta}}}\u00002026-07-28\0subscriptions/listen`
  ],
  run: async (input) => {
    const [body = "", revision = "", method = "", name = ""] = partsOf(input)
    const parsed = Effect.runSyncExit(parseMessages(Buffer.from(body)))
    if (Exit.isFailure(parsed)) {
      expect(Exit.hasFails(parsed) && !Exit.hasDies(parsed), "a defect")
      return
    }
    const { exactArguments, json } = parsed.value
    const { status, text } = await Effect.runPromise(Effect.scoped(respond({
      url: "http://localhost/mcp",
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        ...header("mcp-protocol-version", revision),
        ...header("mcp-method", method),
        ...header("mcp-name", name)
      },
      json,
      exactArguments,
      instructions: "",
      list: Effect.succeed([tool]),
      call: ({ args, exactArgs }) =>
        Effect.sync(() => ({ json: JSON.stringify({ args: exactArgs() ?? args }), isError: false }))
    })))
    expect(status < 500, `${status}: ${text}`)
    if (text === "" || text.startsWith("event:") || text.startsWith(":") || text.startsWith("data:")) return
    const answer = parseJson(text)
    const answers: ReadonlyArray<unknown> = Array.isArray(answer) ? answer : [answer]
    for (const each of answers) expect(isAnswer(each), `${status}, no answer: ${text}`)
    const asked = new Set(idsIn(json).map((id) => JSON.stringify(id)))
    for (const id of idsIn(answer)) {
      expect(id === null || asked.has(JSON.stringify(id)), `the answer to ${JSON.stringify(id)}`)
    }
    strictEqual(new Set(idsIn(answer).map((id) => JSON.stringify(id))).size <= asked.size, true, "two answers")
  }
}
