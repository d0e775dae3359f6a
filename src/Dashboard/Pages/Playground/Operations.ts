import { Effect } from "effect"
import type { ProviderDetail } from "../../../Api/Calls/ProvidersApi.ts"
import { useServiceQuery } from "../../Service/Queries.ts"

type Tool = Omit<typeof ProviderDetail.Type["tools"][number], "output_schema">

export const operationKey = (provider: string, kind: "endpoint" | "tool", name: string): string =>
  `${provider} ${kind}:${name}`

const operationOf = (
  provider: string,
  kind: "endpoint" | "tool",
  { description, input_schema, name, writes }: Tool
) => ({ key: operationKey(provider, kind, name), provider, kind, name, description, writes, inputSchema: input_schema })

/** Its key is for example `gsc tool:gsc_top_queries`. */
export type Operation = ReturnType<typeof operationOf>

export const useOperations = () =>
  useServiceQuery(["operations"], ({ providers }) =>
    Effect.gen(function*() {
      const list = yield* providers.list()
      const details = yield* Effect.forEach(list.providers, ({ id }) => providers.get({ params: { id } }), {
        concurrency: "unbounded"
      })
      return details.flatMap(({ endpoints, id: provider, tools }) => [
        ...tools.map((tool) => operationOf(provider, "tool", tool)),
        ...endpoints.map(({ id, ...endpoint }) => operationOf(provider, "endpoint", { ...endpoint, name: id }))
      ])
    }))
