import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { DetailQuery } from "../../Api/Calls/ProvidersApi.ts"
import { CoreApi } from "../../Api/CoreApi.ts"
import { InvalidInput } from "../../Api/Errors.ts"
import { validator } from "../../Domain/Validation/Validation.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import { authTypesOf, type Provider, type RawEndpoint, type SmartTool } from "../../Providers/Provider.ts"
import { repeatedNames, withRepeated } from "../Server/QueryIssues.ts"

export const ProvidersHandlers = HttpApiBuilder.group(
  CoreApi,
  "providers",
  Effect.fn(function*(handlers) {
    const catalog = yield* Catalog

    const describeEndpoint = (provider: Provider, id: string) =>
      Effect.map(catalog.endpoint(provider, id), ({ endpoint, inputSchema }) => ({
        ...endpointSummary(endpoint),
        input_schema: inputSchema()
      }))

    const describeTool = (provider: Provider, name: string) =>
      Effect.map(catalog.tool(provider, name), ({ inputSchema, outputSchema, tool }) => ({
        ...toolSummary(tool),
        input_schema: inputSchema(),
        output_schema: outputSchema()
      }))

    const describe = Effect.fn("Providers.describe")(
      function*(provider: Provider, { kind, schemas }: typeof DetailQuery.Type) {
        const short = schemas === "false"
        const { endpoints, tools } = provider
        const allEndpoints = short
          ? endpoints.map(endpointSummary)
          : yield* Effect.forEach(endpoints, ({ id }) => describeEndpoint(provider, id))
        const allTools = short
          ? tools.map(toolSummary)
          : yield* Effect.forEach(tools, ({ name }) => describeTool(provider, name))
        return {
          ...summary(provider),
          ...kind === "tools" ? {} : { endpoints: allEndpoints },
          ...kind === "endpoints" ? {} : { tools: allTools }
        }
      },
      Effect.orDie
    )

    return handlers
      .handle("list", () => Effect.succeed({ providers: catalog.providers.map(summary) }))
      .handle(
        "endpoint",
        ({ params }) =>
          Effect.flatMap(catalog.provider(params.id), (provider) => describeEndpoint(provider, params.endpoint))
      )
      .handle(
        "tool",
        ({ params }) => Effect.flatMap(catalog.provider(params.id), (provider) => describeTool(provider, params.name))
      )
      .handleRaw("get", ({ params, request }) =>
        Effect.gen(function*() {
          const provider = yield* catalog.provider(params.id)
          const query = yield* decodeQuery(request.url)
          return HttpServerResponse.jsonUnsafe(yield* describe(provider, query))
        }))
  })
)

const validateQuery = validator(DetailQuery)

const decodeQuery = (url: string): Effect.Effect<typeof DetailQuery.Type, InvalidInput> => {
  const { searchParams } = new URL(url, "http://localhost")
  const repeated = [...repeatedNames(url)].map((name) => [name, searchParams.getAll(name)])
  return Effect.fromResult(validateQuery({ ...Object.fromEntries(searchParams), ...Object.fromEntries(repeated) }))
    .pipe(
      Effect.mapError((details) => new InvalidInput({ details: withRepeated(details, url) }))
    )
}

const summary = (provider: Provider) => ({
  id: provider.id,
  name: provider.name,
  auth_methods: authTypesOf(provider)
})

const endpointSummary = ({ description, id, method, origin, path, writes }: RawEndpoint) => ({
  id,
  description,
  method,
  url: `${origin.url}${path}`,
  writes
})

const toolSummary = ({ description, name, writes }: SmartTool) => ({ name, description, writes })
