import {
  Client,
  StreamableHTTPClientTransport,
  UrlElicitationRequiredError,
  type VersionNegotiationOptions
} from "@modelcontextprotocol/client"
import { Client as Sdk1Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport as Sdk1Transport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import {
  ElicitRequestSchema,
  UrlElicitationRequiredError as Sdk1UrlElicitationRequiredError
} from "@modelcontextprotocol/sdk/types.js"
import type { AgentSignIn } from "./AgentSignIn.ts"

const clientInfo = { name: "test", version: "1.0.0" }

export const installed = (path: string) => new URL(`../../../node_modules/${path}`, import.meta.url).pathname

export interface Connected {
  readonly listTools: () => Promise<{ readonly tools: ReadonlyArray<{ readonly name: string }> }>
  readonly callTool: (call: { readonly name: string; readonly arguments: Record<string, unknown> }) => Promise<unknown>
  readonly close: () => Promise<void>
}

const optionsWith = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } })

/** Shows a page to the user. `false` if the user declines. */
export type ShowPage = (url: string) => Promise<boolean>

const answer = async (show: ShowPage, params: object) => {
  if (!("url" in params)) throw new Error("Only pages can be shown")
  return { action: await show(String(params.url)) ? "accept" as const : "decline" as const }
}

/** Revisions with `initialize` answer a call with an error that has the page. The call is repeated then. */
const repeating = (client: Connected, show: ShowPage): Connected => ({
  listTools: () => client.listTools(),
  close: () => client.close(),
  callTool: async (call) => {
    try {
      return await client.callTool(call)
    } catch (error) {
      if (!(error instanceof UrlElicitationRequiredError || error instanceof Sdk1UrlElicitationRequiredError)) {
        throw error
      }
      for (const { url } of error.elicitations) await show(url)
      return client.callTool(call)
    }
  }
})

const elicitation = { capabilities: { elicitation: { url: {} } } }

/** With `show`, the client has elicitation. */
export const newest =
  (mode: VersionNegotiationOptions["mode"]) => async (url: URL, key: string, show?: ShowPage): Promise<Connected> => {
    const client = new Client(clientInfo, {
      ...show && elicitation,
      ...mode === undefined ? {} : { versionNegotiation: { mode } }
    })
    if (show) client.setRequestHandler("elicitation/create", ({ params }) => answer(show, params))
    await client.connect(new StreamableHTTPClientTransport(url, optionsWith(key)))
    return show ? repeating(client, show) : client
  }

export const sdk1 = async (url: URL, key: string, show?: ShowPage): Promise<Connected> => {
  const client = new Sdk1Client(clientInfo, { ...show && elicitation })
  if (show) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(show, params))
  await client.connect(new Sdk1Transport(url, optionsWith(key)))
  return show ? repeating(client, show) : client
}

export const mcpRemote = async (url: URL, key: string): Promise<Connected> => {
  const client = new Sdk1Client(clientInfo)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [installed("mcp-remote/dist/proxy.js"), url.href, "--header", "Authorization:${OA_AUTHORIZATION}"],
      env: { OA_AUTHORIZATION: `Bearer ${key}`, PATH: process.env["PATH"] ?? "" },
      stderr: "ignore"
    })
  )
  return client
}

interface SigningIn {
  readonly connect: () => Promise<Connected>
  readonly finish: (callback: URL) => Promise<void>
}

export const newestSignIn = (url: URL, authProvider: AgentSignIn): SigningIn => {
  const transport = new StreamableHTTPClientTransport(url, { authProvider })
  return {
    connect: async () => {
      const client = new Client(clientInfo)
      await client.connect(transport)
      return client
    },
    finish: (callback) => transport.finishAuth(callback.searchParams)
  }
}

export const sdk1SignIn = (url: URL, authProvider: AgentSignIn): SigningIn => {
  const transport = new Sdk1Transport(url, { authProvider })
  return {
    connect: async () => {
      const client = new Sdk1Client(clientInfo)
      await client.connect(transport)
      return client
    },
    finish: (callback) => transport.finishAuth(callback.searchParams.get("code") ?? "")
  }
}
