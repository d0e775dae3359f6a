import type { AgentTool, ToolText } from "../../../Calls/AgentTools/AgentTools.ts"
import type { Provider } from "../../../Providers/Provider.ts"
import { connectionId, dryRun, maxAge, type ServedFields, shapes, wholeSentences } from "./ToolDefinition.ts"

type Described = Pick<AgentTool, "name" | "place" | "describe">

export const listConnections: Described = {
  name: "list_connections",
  place: 10,
  describe: ({ providers }) => ({
    title: "List connected accounts",
    description:
      "Lists the connected accounts (connections) with label, account, client and status, and the providers without one. " +
      "Pass an id as `connection_id` if a provider has several.",
    properties: { provider: providerOf(providers) },
    openWorld: false
  })
}

export const describeEndpoint: Described = {
  name: "describe_endpoint",
  place: 30,
  describe: ({ providers }) => ({
    title: "Describe a raw endpoint",
    description:
      "Returns documentation, an example and the input schema of a raw endpoint. Smart tools do not need it. " +
      "`parts` lists what a long schema leaves out.",
    properties: {
      provider: providerOf(providers),
      endpoint,
      part: { type: "string", description: "One of `parts`." }
    },
    required,
    openWorld: false
  })
}

export const callReadEndpoint = ({ hasResults }: ServedFields): Described => ({
  name: "call_read_endpoint",
  place: 40,
  describe: ({ providers }) => ({
    title: "Call a raw endpoint that reads",
    description: wholeSentences(
      "Calls an endpoint of the provider's own API that only reads. Prefer a smart tool. describe_endpoint shows the input. " +
        endpointsOf(providers, false)
    ),
    properties: {
      ...callOf(providers),
      max_age: maxAge,
      ...hasResults ? { ...shapes, keep: { type: "boolean" } } : {}
    },
    required
  })
})

export const callWriteEndpoint = ({ hasPreview }: ServedFields): Described => ({
  name: "call_write_endpoint",
  place: 60,
  describe: ({ principal, providers }): ToolText | undefined =>
    principal.access === "read_only" ? undefined : {
      title: "Call a raw endpoint that writes",
      description: wholeSentences(
        "Calls an endpoint of the provider's own API that writes: it can overwrite and delete. " +
          "Prefer a smart tool. describe_endpoint shows the input. " +
          endpointsOf(providers, true)
      ),
      properties: { ...callOf(providers), ...hasPreview ? { dry_run: dryRun } : {} },
      required,
      writes: true,
      destructive: true
    }
})

const providerOf = (providers: ReadonlyArray<Provider>) => ({ type: "string", enum: providers.map(({ id }) => id) })

const endpoint = { type: "string", description: "Such as `sites.list`." }

const required = ["provider", "endpoint"]

const callOf = (providers: ReadonlyArray<Provider>) => ({
  provider: providerOf(providers),
  endpoint,
  input: {
    type: "object",
    description: "`path` (placeholders of the URL), `query` and `body`, as describe_endpoint shows."
  },
  connection_id: connectionId
})

const endpointsOf = (providers: ReadonlyArray<Provider>, writes: boolean): string =>
  providers.flatMap(({ endpoints, id }) => {
    const ids = endpoints.filter((endpoint) => endpoint.writes === writes).map(({ id }) => id)
    return ids.length === 0 ? [] : [`${id}: ${ids.join(", ")}.`]
  }).join(" ")
