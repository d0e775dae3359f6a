import { Record, Schema } from "effect"
import * as OpenApi from "effect/http-api/OpenApi"
import { CallId } from "../Domain/Ids.ts"
import { Limit } from "../Domain/Page.ts"

const body = { $ref: "#/components/schemas/UpstreamErrorBody" }
const providerAnswered = "The provider answered with an error; the status is the provider's own"

/** For operations that fail with `upstream_error`: its status is the provider's own, which may be any. */
export const upstreamStatuses = OpenApi.annotations({
  transform: (operation) => ({
    ...operation,
    responses: {
      ...operation["responses"],
      default: { description: providerAnswered, content: { "application/json": { schema: body } } }
    }
  })
})

/** Also one that the service uses itself, for which `default` does not stand. */
const withUpstreamError = (response: OpenApi.OpenApiSpecResponse): OpenApi.OpenApiSpecResponse => {
  const schema = response.content?.["application/json"]?.schema
  if (schema === undefined || JSON.stringify(schema).includes(body.$ref)) return response
  const others = Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [schema]
  return {
    ...response,
    description: `${response.description} | ${providerAnswered}`,
    content: { "application/json": { schema: { anyOf: [...others, body] } } }
  }
}

/** What holds for every operation, and the schemas of its own parameters and responses do not say. */
export const describeEverywhere = OpenApi.annotations({
  transform: (document) => {
    const paths: ByPath = document["paths"]
    return { ...document, paths: Record.map(paths, (methods) => Record.map(methods, describe)) }
  }
})

/** By path and method. */
type ByPath = Readonly<Record<string, Readonly<Record<string, OpenApi.OpenAPISpecOperation>>>>

const describe = (operation: OpenApi.OpenAPISpecOperation): OpenApi.OpenAPISpecOperation => ({
  ...operation,
  parameters: operation.parameters.map((parameter) =>
    parameter.name === "limit" ? { ...parameter, schema: jsonSchema(Limit) } : parameter
  ),
  responses: Record.map(operation.responses, (response, status) => ({
    ...("default" in operation.responses && Number(status) >= 400 ? withUpstreamError(response) : response),
    headers: {
      ...response.headers,
      ...Number(status) === 429 ? quotaHeaders : {},
      "x-call-id": { description: "Names this request.", required: true, schema: jsonSchema(CallId) }
    }
  }))
})

const jsonSchema = (schema: Schema.Codec<unknown, unknown>) => ({ ...Schema.toJsonSchemaDocument(schema).schema })

const count = (description: string) => ({ description, required: false, schema: jsonSchema(Schema.Int) })

const quotaHeaders = {
  "retry-after": count("Seconds until the key may make another request."),
  "ratelimit-limit": count("How many requests a key may make in a window of time."),
  "ratelimit-remaining": count("How many of them it has left."),
  "ratelimit-reset": count("Seconds until it has all of them again.")
}
