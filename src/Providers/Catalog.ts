import { Context, Effect, Layer, Result } from "effect"
import { EndpointNotFound, InvalidInput, ProviderNotFound, ToolNotFound } from "../Api/Errors.ts"
import { validator } from "../Api/Issues.ts"
import { type JsonSchema, jsonSchemaOf } from "./JsonSchema.ts"
import type { Provider, RawEndpoint, SmartTool } from "./Provider.ts"

/** What a call asks for: a raw endpoint or a smart tool of a provider, with its input's validator compiled. */
export type Operation = RawOperation | ToolOperation

interface Common {
  readonly provider: Provider
  /** `raw:<endpoint>` or `tool:<name>`. */
  readonly target: string
  readonly writes: boolean
  readonly createsFile: boolean
  readonly inputSchema: () => JsonSchema
}

export interface RawOperation extends Common {
  readonly _tag: "Endpoint"
  readonly endpoint: RawEndpoint
  readonly decode: (input: unknown) => Effect.Effect<RawEndpoint["input"]["Type"], InvalidInput>
}

export interface ToolOperation extends Common {
  readonly _tag: "Tool"
  readonly tool: SmartTool
  readonly decode: (input: unknown) => Effect.Effect<unknown, InvalidInput>
}

/** Every provider and everything it can do; a team adds a provider by providing another layer. */
export class Catalog extends Context.Service<Catalog, {
  readonly providers: ReadonlyArray<Provider>
  readonly provider: (id: string) => Effect.Effect<Provider, ProviderNotFound>
  readonly endpoint: (provider: Provider, id: string) => Effect.Effect<RawOperation, EndpointNotFound>
  readonly tool: (provider: Provider, name: string) => Effect.Effect<ToolOperation, ToolNotFound>
}>()("openaccounts/Providers/Catalog") {
  static readonly make = (providers: ReadonlyArray<Provider>) => {
    const byId = new Map(providers.map((provider) => [provider.id, provider]))
    const endpoints = new Map(providers.flatMap((provider) =>
      provider.endpoints.map((endpoint) => [key(provider, endpoint.id), rawOperation(provider, endpoint)])
    ))
    const tools = new Map(providers.flatMap((provider) =>
      provider.tools.map((tool) => [key(provider, tool.name), toolOperation(provider, tool)])
    ))
    return Catalog.of({
      providers,
      provider: (id) => find(byId, id, () => new ProviderNotFound({ message: `There is no provider "${id}".` })),
      endpoint: (provider, id) =>
        find(
          endpoints,
          key(provider, id),
          () => new EndpointNotFound({ message: `Provider "${provider.id}" has no endpoint "${id}".` })
        ),
      tool: (provider, name) =>
        find(
          tools,
          key(provider, name),
          () => new ToolNotFound({ message: `Provider "${provider.id}" has no tool "${name}".` })
        )
    })
  }

  static readonly layer = (providers: ReadonlyArray<Provider>) => Layer.succeed(Catalog, Catalog.make(providers))
}

const key = (provider: Provider, operation: string) => `${provider.id} ${operation}`

const find = <A, E>(map: ReadonlyMap<string, A>, id: string, missing: () => E): Effect.Effect<A, E> => {
  const found = map.get(id)
  return found === undefined ? Effect.fail(missing()) : Effect.succeed(found)
}

const rawOperation = (provider: Provider, endpoint: RawEndpoint): RawOperation => ({
  _tag: "Endpoint",
  endpoint,
  ...common(provider, `raw:${endpoint.id}`, endpoint)
})

const toolOperation = (provider: Provider, tool: SmartTool): ToolOperation => ({
  _tag: "Tool",
  tool,
  ...common(provider, `tool:${tool.name}`, tool)
})

const common = <A>(
  provider: Provider,
  target: string,
  operation: Pick<SmartTool<A>, "writes" | "createsFile" | "input">
) => {
  const validate = validator(operation.input, ["input"])
  return {
    provider,
    target,
    writes: operation.writes,
    createsFile: operation.createsFile ?? false,
    inputSchema: lazily(() => jsonSchemaOf(operation.input)),
    decode: (input: unknown = {}) =>
      Result.match(validate(input), {
        onSuccess: (decoded) => Effect.succeed(decoded),
        onFailure: (issues) => Effect.fail(new InvalidInput({ details: issues }))
      })
  }
}

/** The JSON Schemas of the large request unions are made when they are first asked for, not at start. */
const lazily = <A>(make: () => A): () => A => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}
