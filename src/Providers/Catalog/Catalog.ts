import { Context, Effect, Layer } from "effect"
import type { EndpointNotFound, ProviderNotFound, ToolNotFound } from "../../Api/Errors.ts"
import type { Provider } from "../Provider.ts"
import { endpointNotFound, providerNotFound, toolNotFound } from "./NotFound.ts"
import { type EndpointOperation, type Operation, rawOperation, type ToolOperation, toolOperation } from "./Operation.ts"

export class Catalog extends Context.Service<Catalog, {
  readonly providers: ReadonlyArray<Provider>
  readonly provider: (id: string) => Effect.Effect<Provider, ProviderNotFound>
  readonly endpoint: (provider: Provider, id: string) => Effect.Effect<EndpointOperation, EndpointNotFound>
  readonly tool: (provider: Provider, name: string) => Effect.Effect<ToolOperation, ToolNotFound>
  readonly operation: (request: {
    readonly provider: string
    readonly endpoint?: string
    readonly tool?: string
  }) => Effect.Effect<Operation, ProviderNotFound | EndpointNotFound | ToolNotFound>
}>()("openaccounts/Providers/Catalog/Catalog") {
  static readonly make = (providers: ReadonlyArray<Provider>) => {
    const byId = new Map(providers.map((provider) => [provider.id, provider]))
    const endpoints = new Map(
      providers.flatMap((provider) =>
        provider.endpoints.map((endpoint) => [key(provider, endpoint.id), rawOperation(provider, endpoint)])
      )
    )
    const tools = new Map(
      providers.flatMap((provider) =>
        provider.tools.map((tool) => [key(provider, tool.name), toolOperation(provider, tool)])
      )
    )
    const provider = (id: string) => get(byId, id, () => providerNotFound(providers, id))
    const endpoint = (provider: Provider, id: string) =>
      get(endpoints, key(provider, id), () => endpointNotFound(providers, provider, id))
    const tool = (provider: Provider, name: string) =>
      get(tools, key(provider, name), () => toolNotFound(providers, provider, name))
    return Catalog.of({
      providers,
      provider,
      endpoint,
      tool,
      operation: (request) =>
        Effect.flatMapEager(
          provider(request.provider),
          (found): Effect.Effect<Operation, EndpointNotFound | ToolNotFound> =>
            request.endpoint === undefined ? tool(found, request.tool ?? "") : endpoint(found, request.endpoint)
        )
    })
  }

  static readonly layer = (providers: ReadonlyArray<Provider>) => Layer.succeed(Catalog, Catalog.make(providers))
}

const key = (provider: Provider, operation: string) => `${provider.id} ${operation}`

const get = <A, E>(map: ReadonlyMap<string, A>, id: string, missing: () => E): Effect.Effect<A, E> => {
  const found = map.get(id)
  return found === undefined ? Effect.fail(missing()) : Effect.succeed(found)
}
