export const agentClientIds = [
  "claude-code",
  "claude",
  "chatgpt",
  "codex",
  "vscode",
  "cursor",
  "gemini-cli",
  "stdio"
] as const

export interface AgentSetup {
  readonly instruction: string
  readonly text?: string
  readonly language?: "sh" | "json" | "toml"
}

export interface AgentClient {
  readonly id: typeof agentClientIds[number]
  readonly name: string
  /** The member signs in and consents in the browser. `null` where the agent does not support it. */
  readonly signIn: AgentSetup | null
  readonly key: AgentSetup | null
  readonly note?: string
}

const serverName = "openaccounts"

const placeholder = "oa_…"

export const mcpUrl = (baseUrl: string): string => `${baseUrl.replace(/\/+$/, "")}/mcp`

export const agentClients = (baseUrl: string): ReadonlyArray<AgentClient> => {
  const url = mcpUrl(baseUrl)
  const servers = (server: object) => json({ mcpServers: { [serverName]: server } })
  const bridged = servers(bridge(url, ["--header", "Authorization:${OA_AUTHORIZATION}"], {
    OA_AUTHORIZATION: `Bearer ${placeholder}`
  }))
  const publicOnly = isPublic(baseUrl)
    ? {}
    : { note: `It connects from its maker's cloud: ${url} must be a public https address.` }

  return [
    {
      id: "claude-code",
      name: "Claude Code",
      signIn: {
        instruction: `Run this, then \`/mcp\` in Claude Code, choose ${serverName} and sign in:`,
        language: "sh",
        text: `claude mcp add --transport http ${serverName} ${url}`
      },
      key: {
        instruction: "Run this with the key in the variable OA_KEY:",
        language: "sh",
        text: `claude mcp add --transport http ${serverName} ${url} --header "Authorization: Bearer $OA_KEY"`
      }
    },
    {
      id: "claude",
      name: "Claude (web and desktop)",
      signIn: {
        instruction: `In Settings, Connectors, choose Add custom connector, enter this URL and connect: ${url}`
      },
      key: {
        instruction: "In the desktop application, put this into claude_desktop_config.json (Settings, Developer):",
        language: "json",
        text: bridged
      },
      ...publicOnly
    },
    {
      id: "chatgpt",
      name: "ChatGPT",
      signIn: {
        instruction:
          `In Settings, Apps and connectors, turn the developer mode on, create a connector with this URL and OAuth: ${url}`
      },
      key: null,
      ...publicOnly
    },
    {
      id: "codex",
      name: "Codex",
      signIn: {
        instruction: "Run this and sign in:",
        language: "sh",
        text: `codex mcp add ${serverName} --url ${url}\ncodex mcp login ${serverName}`
      },
      key: {
        instruction: "Run this. Codex reads the key from the variable OA_KEY:",
        language: "sh",
        text: `codex mcp add ${serverName} --url ${url} --bearer-token-env-var OA_KEY`
      }
    },
    {
      id: "vscode",
      name: "VS Code",
      signIn: {
        instruction: "Put this into .vscode/mcp.json and start the server there:",
        language: "json",
        text: json({ servers: { [serverName]: { type: "http", url } } })
      },
      key: {
        instruction: "Put this into .vscode/mcp.json. VS Code asks for the key once:",
        language: "json",
        text: json({
          inputs: [{ type: "promptString", id: "oa-key", description: "OpenAccounts API key", password: true }],
          servers: { [serverName]: { type: "http", url, headers: { Authorization: "Bearer ${input:oa-key}" } } }
        })
      }
    },
    {
      id: "cursor",
      name: "Cursor",
      signIn: {
        instruction: "Put this into ~/.cursor/mcp.json and sign in under Settings, MCP:",
        language: "json",
        text: servers({ url })
      },
      key: {
        instruction: "Put this into ~/.cursor/mcp.json. Cursor sends no header to a server that offers a sign-in:",
        language: "json",
        text: bridged
      }
    },
    {
      id: "gemini-cli",
      name: "Gemini CLI",
      signIn: {
        instruction: `Run this, then \`/mcp auth ${serverName}\` in Gemini CLI:`,
        language: "sh",
        text: `gemini mcp add --transport http ${serverName} ${url}`
      },
      key: {
        instruction: "Run this with the key in the variable OA_KEY:",
        language: "sh",
        text: `gemini mcp add --transport http --header "Authorization: Bearer $OA_KEY" ${serverName} ${url}`
      }
    },
    {
      id: "stdio",
      name: "Other clients, which start a program",
      signIn: {
        instruction: "`mcp-remote` connects them. The usual form of their settings:",
        language: "json",
        text: servers(bridge(url))
      },
      key: {
        instruction: "`mcp-remote` connects them. The usual form of their settings:",
        language: "json",
        text: bridged
      }
    }
  ]
}

const bridge = (url: string, args: ReadonlyArray<string> = [], env?: Readonly<Record<string, string>>) => ({
  command: "npx",
  args: ["-y", "mcp-remote", url, ...isPlainHttp(url) ? ["--allow-http"] : [], ...args],
  ...env === undefined ? {} : { env }
})

const json = (value: unknown): string => JSON.stringify(value, null, 2)

const isLoopback = ({ hostname }: URL): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

const isPublic = (baseUrl: string): boolean => new URL(baseUrl).protocol === "https:" && !isLoopback(new URL(baseUrl))

/** `mcp-remote` accepts plain http only on loopback addresses. */
const isPlainHttp = (url: string): boolean => new URL(url).protocol === "http:" && !isLoopback(new URL(url))
