import type { Principal } from "../../../Domain/Access/Principal.ts"
import type { Provider } from "../../../Providers/Provider.ts"
import {
  annotate,
  connectionId,
  dryRun,
  maxAge,
  shapes,
  type ToolDefinition,
  wholeSentences
} from "./ToolDefinition.ts"

export const generalToolNames = [
  "list_connections",
  "request_connection",
  "describe_endpoint",
  "call_read_endpoint",
  "query_result",
  "call_write_endpoint",
  "get_approval",
  "undo"
] as const
export type GeneralToolName = typeof generalToolNames[number]

export const isGeneralTool = (name: string): name is GeneralToolName => generalToolNames.some((each) => each === name)

export type ToolRights = Pick<Principal, "access" | "undo">

export const generalTools = (
  providers: ReadonlyArray<Provider>,
  rights: ToolRights,
  connectable: ReadonlyArray<string>
): ReadonlyArray<ToolDefinition> => {
  const provider = { type: "string", enum: providers.map(({ id }) => id) }
  const endpoint = { type: "string", description: "Such as `sites.list`." }
  const call = {
    provider,
    endpoint,
    input: {
      type: "object",
      description: "`path` (placeholders of the URL), `query` and `body`, as describe_endpoint shows."
    },
    connection_id: connectionId
  }
  const required = ["provider", "endpoint"]

  const listConnections: ToolDefinition = {
    name: "list_connections",
    title: "List connected accounts",
    description:
      "Lists the connected accounts (connections) with label, account, client and status, and the providers without one. " +
      "Pass an id as `connection_id` if a provider has several.",
    inputSchema: { type: "object", properties: { provider } },
    annotations: annotate("List connected accounts", { openWorld: false })
  }
  const requestConnection: ToolDefinition = {
    name: "request_connection",
    title: "Request a connection",
    description: "Makes a link with which an account's owner connects a provider that has no active connection, for " +
      "reading. Give it to the person; list_connections then shows the connection.",
    inputSchema: {
      type: "object",
      properties: {
        provider: { type: "string", enum: connectable },
        label: { type: "string", description: "Name of the connection." },
        client_id: { type: "string", description: "Id or name of the client that gets it, if there are several." }
      },
      required: ["provider"]
    },
    annotations: annotate("Request a connection", { openWorld: false, writes: true })
  }
  const describeEndpoint: ToolDefinition = {
    name: "describe_endpoint",
    title: "Describe a raw endpoint",
    description:
      "Returns documentation, an example and the input schema of a raw endpoint. Smart tools do not need it. " +
      "`parts` lists what a long schema leaves out.",
    inputSchema: {
      type: "object",
      properties: {
        provider,
        endpoint,
        part: { type: "string", description: "One of `parts`." }
      },
      required
    },
    annotations: annotate("Describe a raw endpoint", { openWorld: false })
  }
  const callReadEndpoint: ToolDefinition = {
    name: "call_read_endpoint",
    title: "Call a raw endpoint that reads",
    description: wholeSentences(
      "Calls an endpoint of the provider's own API that only reads. Prefer a smart tool. describe_endpoint shows the input. " +
        endpointsOf(providers, false)
    ),
    inputSchema: {
      type: "object",
      properties: { ...call, max_age: maxAge, ...shapes, keep: { type: "boolean" } },
      required
    },
    annotations: annotate("Call a raw endpoint that reads", {})
  }
  const queryResult: ToolDefinition = {
    name: "query_result",
    title: "Ask a kept result with SQL",
    description: "Runs one SELECT of SQLite over a kept result, the table `result`.",
    inputSchema: {
      type: "object",
      properties: {
        result: { type: "string", description: "`result.id`." },
        sql: { type: "string" },
        format: shapes.format
      },
      required: ["result", "sql"]
    },
    annotations: annotate("Ask a kept result with SQL", { openWorld: false })
  }
  const callWriteEndpoint: ToolDefinition = {
    name: "call_write_endpoint",
    title: "Call a raw endpoint that writes",
    description: wholeSentences(
      "Calls an endpoint of the provider's own API that writes: it can overwrite and delete. " +
        "Prefer a smart tool. describe_endpoint shows the input. " +
        endpointsOf(providers, true)
    ),
    inputSchema: { type: "object", properties: { ...call, dry_run: dryRun }, required },
    annotations: annotate("Call a raw endpoint that writes", { writes: true, destructive: true })
  }
  const getApproval: ToolDefinition = {
    name: "get_approval",
    title: "Wait for an approval",
    description:
      "Shows what a person has decided about a write that got approval_required, and the response once it is " +
      "sent.",
    inputSchema: {
      type: "object",
      properties: {
        approval: { type: "string", description: "Its `approval_id`." },
        wait: { type: "integer", maximum: 30, description: "Seconds." }
      },
      required: ["approval"]
    },
    annotations: annotate("Wait for an approval", { openWorld: false })
  }
  const undo: ToolDefinition = {
    name: "undo",
    title: "Undo a write",
    description: "Undoes a write of cells or text within 72 hours, unless it was changed since.",
    inputSchema: { type: "object", properties: { call_id: { type: "string" } }, required: ["call_id"] },
    annotations: annotate("Undo a write", { writes: true, destructive: true })
  }
  const connections = connectable.length === 0 ? [listConnections] : [listConnections, requestConnection]
  const tools = [...connections, describeEndpoint, callReadEndpoint, queryResult]
  if (rights.access === "read_only") return tools
  // Only what keeps its changes can take them back.
  return [...tools, callWriteEndpoint, getApproval, ...rights.undo === true ? [undo] : []]
}

const endpointsOf = (providers: ReadonlyArray<Provider>, writes: boolean): string =>
  providers.flatMap(({ endpoints, id }) => {
    const ids = endpoints.filter((endpoint) => endpoint.writes === writes).map(({ id }) => id)
    return ids.length === 0 ? [] : [`${id}: ${ids.join(", ")}.`]
  }).join(" ")
