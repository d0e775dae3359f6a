import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../../Api/Api.ts"
import { Catalog } from "../../Providers/Catalog.ts"
import { authTypesOf, type Provider } from "../../Providers/Provider.ts"

export const ProvidersHandlers = HttpApiBuilder.group(
  Api,
  "providers",
  Effect.fn(function*(handlers) {
    const catalog = yield* Catalog

    const detail = Effect.fn("Providers.detail")(function*(provider: Provider) {
      return {
        ...summary(provider),
        endpoints: yield* Effect.forEach(
          provider.endpoints,
          (endpoint) =>
            Effect.map(catalog.endpoint(provider, endpoint.id), ({ inputSchema }) => ({
              id: endpoint.id,
              description: endpoint.description,
              method: endpoint.method,
              url: `${endpoint.origin.url}${endpoint.path}`,
              writes: endpoint.writes,
              input_schema: inputSchema()
            }))
        ),
        tools: yield* Effect.forEach(
          provider.tools,
          (tool) =>
            Effect.map(catalog.tool(provider, tool.name), ({ inputSchema, outputSchema }) => ({
              name: tool.name,
              description: tool.description,
              writes: tool.writes,
              input_schema: inputSchema(),
              output_schema: outputSchema()
            }))
        )
      }
    }, Effect.orDie)

    return handlers.handleAll({
      list: () => Effect.succeed({ providers: catalog.providers.map(summary) }),
      get: ({ params }) => Effect.flatMap(catalog.provider(params.id), detail)
    })
  })
)

const summary = (provider: Provider) => ({
  id: provider.id,
  name: provider.name,
  auth_methods: authTypesOf(provider)
})
