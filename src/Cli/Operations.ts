import { Option } from "effect"
import type { ProviderDetail } from "../Api/ProvidersApi.ts"

type Endpoint = typeof ProviderDetail.Type["endpoints"][number]
type Tool = typeof ProviderDetail.Type["tools"][number]

/** A raw endpoint or a smart tool, as people name it. */
export interface Operation extends Pick<Endpoint & Tool, "name" | "description" | "writes" | "input_schema"> {
  readonly kind: "endpoint" | "tool"
}

export const operationsOf = ({ endpoints, tools }: typeof ProviderDetail.Type): ReadonlyArray<Operation> => [
  ...endpoints.map(({ id, ...endpoint }) => ({ ...endpoint, kind: "endpoint", name: id }) as const),
  ...tools.map((tool) => ({ ...tool, kind: "tool" }) as const)
]

export const operationOf = (provider: typeof ProviderDetail.Type, name: string): Option.Option<Operation> =>
  Option.fromUndefinedOr(operationsOf(provider).find((operation) => operation.name === name))
