import { Record, Schema } from "effect"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { CallId } from "../Domain/Ids.ts"
import { Limit } from "../Domain/Page.ts"

/** A response with status 201. Suspended, because the status annotation would make a second schema with the same name. */
export const Created = <S extends Schema.Top>(schema: S) =>
  Schema.suspend(() => schema).annotate({ description: "Created" }).pipe(HttpApiSchema.status(201))

const upstreamErrorBody = { $ref: "#/components/schemas/UpstreamErrorBody" }
const upstreamErrorDescription = "The provider answered with an error; the status is the provider's"

/** For operations that fail with `upstream_error`, which can have any status. */
export const upstreamStatuses = OpenApi.annotations({
  transform: (operation) => ({
    ...operation,
    responses: {
      ...operation["responses"],
      default: { description: upstreamErrorDescription, content: { "application/json": { schema: upstreamErrorBody } } }
    }
  })
})

export const describeOperations = OpenApi.annotations({
  transform: (document) => {
    const paths: Readonly<Record<string, OperationsByMethod>> = document["paths"]
    return { ...document, paths: Record.map(paths, (methods) => Record.map(methods, describe)) }
  }
})

type OperationsByMethod = Readonly<Record<string, OpenApi.OpenAPISpecOperation>>

const describe = (operation: OpenApi.OpenAPISpecOperation): OpenApi.OpenAPISpecOperation => ({
  ...operation,
  parameters: operation.parameters.map((parameter) =>
    parameter.name === "limit" ? { ...parameter, schema: jsonSchema(Limit) } : parameter
  ),
  responses: Record.map(operation.responses, (response, status) => ({
    ...("default" in operation.responses && Number(status) >= 400 ? withUpstreamError(response) : response),
    headers: {
      ...response.headers,
      ...Number(status) === 429 ? rateLimitHeaders : {},
      "x-call-id": { description: "The id of this request.", required: true, schema: jsonSchema(CallId) }
    }
  }))
})

/** `default` does not cover a status that the service uses itself, so such a response lists `upstream_error` too. */
const withUpstreamError = (response: OpenApi.OpenApiSpecResponse): OpenApi.OpenApiSpecResponse => {
  const schema = response.content?.["application/json"]?.schema
  if (schema === undefined || JSON.stringify(schema).includes(upstreamErrorBody.$ref)) return response
  const others = Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [schema]
  return {
    ...response,
    description: `${response.description} | ${upstreamErrorDescription}`,
    content: { "application/json": { schema: { anyOf: [...others, upstreamErrorBody] } } }
  }
}

export const jsonSchema = (schema: Schema.Codec<unknown, unknown>) => ({
  ...Schema.toJsonSchemaDocument(schema).schema
})

const integerHeader = (description: string) => ({ description, required: false, schema: jsonSchema(Schema.Int) })

const rateLimitHeaders = {
  "retry-after": integerHeader("Seconds until the key can make another request."),
  "ratelimit-limit": integerHeader("The number of requests that a key can make in a window."),
  "ratelimit-remaining": integerHeader("The number of requests left in the window."),
  "ratelimit-reset": integerHeader("Seconds until the window ends.")
}
