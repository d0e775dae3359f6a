import { Effect } from "effect"
import { useServiceQuery } from "../../Service/Queries.ts"

export interface Operation {
  /** For example `gsc tool:gsc_top_queries`. */
  readonly key: string
  readonly provider: string
  readonly kind: "endpoint" | "tool"
  readonly name: string
  readonly description: string
  readonly writes: boolean
  readonly inputSchema: Readonly<Record<string, unknown>>
}

export const operationKey = (provider: string, kind: Operation["kind"], name: string): string =>
  `${provider} ${kind}:${name}`

export const useOperations = () =>
  useServiceQuery(["operations"], ({ providers }) =>
    Effect.gen(function*() {
      const list = yield* providers.list()
      const details = yield* Effect.forEach(list.providers, ({ id }) => providers.get({ params: { id } }), {
        concurrency: "unbounded"
      })
      return details.flatMap(({ endpoints, id: provider, tools }): ReadonlyArray<Operation> => [
        ...tools.map(({ description, input_schema, name, writes }) => ({
          key: operationKey(provider, "tool", name),
          kind: "tool" as const,
          inputSchema: input_schema,
          provider,
          name,
          description,
          writes
        })),
        ...endpoints.map(({ description, id, input_schema, writes }) => ({
          key: operationKey(provider, "endpoint", id),
          kind: "endpoint" as const,
          name: id,
          inputSchema: input_schema,
          provider,
          description,
          writes
        }))
      ])
    }))
