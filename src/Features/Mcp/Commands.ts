import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { serviceUrl, urlFlag } from "../../Cli/ApiClient.ts"
import { reportFailure } from "../../Cli/Failure.ts"
import { jsonFlag, print, type Style } from "../../Cli/Output.ts"
import { type AgentClient, agentClientIds, agentClients, type AgentSetup, mcpUrl } from "./AgentClients.ts"

const setupLines = (name: string, setup: AgentSetup | null): ReadonlyArray<string> => {
  if (setup === null) return [`  ${name}: not possible.`]
  const text = setup.text === undefined ? [] : setup.text.split("\n").map((line) => `    ${line}`)
  return [`  ${name}: ${setup.instruction}`, ...text]
}

const clientLines = ({ key, name, note, signIn }: AgentClient, { bold }: Style): ReadonlyArray<string> => [
  bold(name),
  ...note === undefined ? [] : [`  ${note}`],
  ...setupLines("With a sign-in", signIn),
  ...setupLines("With an API key", key),
  ""
]

export const mcp = Command.make(
  "mcp",
  {
    agent: Argument.Literals("agent", agentClientIds).pipe(
      Argument.withDescription("Only this agent"),
      Argument.optional
    )
  },
  Effect.fnUntraced(function*({ agent }) {
    const baseUrl = yield* serviceUrl
    const clients = agentClients(baseUrl).filter(({ id }) => Option.isNone(agent) || agent.value === id)
    yield* print({ url: mcpUrl(baseUrl), clients }, (style) =>
      [
        `Agents use the service at ${
          mcpUrl(baseUrl)
        } (MCP). A key comes from \`oa key create\`; it is read-only by default.`,
        "",
        ...clients.flatMap((client) => clientLines(client, style))
      ].join("\n").trimEnd())
  }, reportFailure)
).pipe(
  Command.withDescription("Print how to add the service to an agent, such as Claude Code or ChatGPT; needs no server"),
  Command.withExamples([{ command: "oa mcp" }, { command: "oa mcp codex --url https://accounts.example.com" }]),
  Command.withGlobalFlags([urlFlag, jsonFlag])
)
