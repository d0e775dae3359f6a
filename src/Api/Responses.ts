import { type JsonSchema, Option, Predicate, Record, Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { CallId } from "../Domain/Ids.ts"
import { Cursor, type Entry, Limit, pagesOfEntries } from "../Domain/Page.ts"
import { InvalidInput } from "./Errors.ts"
import { jsonSchema } from "./JsonSchema.ts"

/** Suspended, because the status annotation would make a second schema of the same name. */
export const Created = <S extends Schema.Top>(schema: S) =>
  Schema.suspend(() => schema).annotate({ description: "Created" }).pipe(HttpApiSchema.status(201))

export const Accepted = <S extends Schema.Top>(schema: S) =>
  Schema.suspend(() => schema).annotate({ description: "Accepted" }).pipe(HttpApiSchema.status(202))

export const operation = (identifier: string, summary: string, example?: Schema.JsonObject) =>
  OpenApi.annotations({
    identifier,
    summary,
    transform: example === undefined ? undefined : addExamples({ example: { value: example } })
  })

/** The list of a group, a page at a time. */
export const pagesOf = <const Name extends string, S extends Entry>(name: Name, item: S) =>
  HttpApiEndpoint.get("list", "/", {
    query: pagesOfEntries(item),
    success: Schema.Struct({ ...Record.singleton(name, Schema.Array(item)), cursor: Cursor }),
    error: InvalidInput.schema
  })

export interface Example {
  readonly summary?: string
  readonly value: unknown
}

export const addExamples =
  (examples: Readonly<Record<string, Example>>): OpenApi.Transform["Service"] => ({ requestBody, ...operation }) => {
    const { content }: OpenApi.OpenAPISpecRequestBody = requestBody
    return {
      ...operation,
      requestBody: { ...requestBody, content: Record.map(content, (media) => ({ ...media, examples })) }
    }
  }

/** Describes numbers of a query, which the document otherwise shows as strings without bounds or a description. */
export const describeQuery = (fields: Readonly<Record<string, Schema.Codec<unknown, unknown>>>) =>
  OpenApi.annotations({
    transform: ({ parameters, ...operation }) => ({
      ...operation,
      parameters: parameters.map((parameter: OpenApi.OpenAPISpecParameter) => {
        const field = fields[parameter.name]
        return field === undefined ? parameter : { ...parameter, schema: jsonSchema(field) }
      })
    })
  })

export const describeDocument: OpenApi.Transform["Service"] = (made) => {
  const document = JSON.parse(JSON.stringify(made), openObject)
  const paths: Readonly<Record<string, OperationsByMethod>> = document["paths"]
  const { schemas, securitySchemes }: OpenApi.OpenAPIComponents = document["components"]
  return {
    ...document,
    paths: Record.map(paths, (methods) => Record.map(methods, describe(schemas))),
    components: { ...document["components"], securitySchemes: Record.map(securitySchemes, lowerCaseScheme) }
  }
}

/** Without this, client generators treat an object without fields as empty. */
const openObject = (_: string, node: unknown): unknown =>
  Predicate.isObject(node) && Reflect.get(node, "type") === "object" && !("properties" in node) &&
    !("additionalProperties" in node)
    ? { ...node, additionalProperties: true }
    : node

type OperationsByMethod = Readonly<Record<string, OpenApi.OpenAPISpecOperation>>

/** Documentation pages compare with the lower-case name. */
const lowerCaseScheme = (scheme: OpenApi.OpenAPISecurityScheme): OpenApi.OpenAPISecurityScheme =>
  scheme.type === "http" ? { ...scheme, scheme: "bearer" } : scheme

const describe = (schemas: Schemas) => (operation: OpenApi.OpenAPISpecOperation): OpenApi.OpenAPISpecOperation => ({
  ...operation,
  parameters: operation.parameters.map((parameter) =>
    parameter.name === "limit" && Reflect.get(parameter.schema, "type") === "string"
      ? { ...parameter, schema: jsonSchema(Limit) }
      : parameter
  ),
  responses: Record.map(withUpstreamStatuses(operation.responses), (response, status) => ({
    ...describeBodies(response, schemas),
    headers: {
      ...response.headers,
      ...Number(status) === 429 ? rateLimitHeaders : {},
      "x-call-id": { description: "The id of this request.", required: true, schema: jsonSchema(CallId) }
    }
  }))
})

type Schemas = OpenApi.OpenAPIComponents["schemas"]

const describeBodies = (response: OpenApi.OpenApiSpecResponse, schemas: Schemas): OpenApi.OpenApiSpecResponse => {
  const names = bodiesOf(response).flatMap(({ $ref }) => Predicate.isString($ref) ? [$ref.slice(prefix.length)] : [])
  const lines = names.flatMap((name) => Option.toArray(decodeErrorSchema(schemas[name]))).map(
    ({ description, properties }) => `- \`${properties.error.properties.code.enum[0]}\`: ${description}.`
  )
  if (lines.length > 0) return { ...response, description: lines.join("\n") }
  return names.includes(response.description) ? { ...response, description: "Success" } : response
}

const prefix = "#/components/schemas/"

const bodiesOf = ({ content }: OpenApi.OpenApiSpecResponse): ReadonlyArray<JsonSchema.JsonSchema> => {
  const schema = content?.["application/json"]?.schema ?? {}
  return Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [schema]
}

const ErrorSchema = Schema.Struct({
  description: Schema.String,
  properties: Schema.Struct({
    error: Schema.Struct({
      properties: Schema.Struct({ code: Schema.Struct({ enum: Schema.NonEmptyArray(Schema.String) }) })
    })
  })
})
const decodeErrorSchema = Schema.decodeUnknownOption(ErrorSchema)

/**
 * `upstream_error` can have any status. `default` does not cover a status that the service uses itself, so such a
 * response lists `upstream_error` too.
 */
const withUpstreamStatuses = (responses: Responses): Responses =>
  Object.values(responses).some(hasUpstreamError)
    ? {
      ...Record.map(responses, (response, status) => Number(status) >= 400 ? withUpstreamError(response) : response),
      default: { description: "", content: { "application/json": { schema: upstreamErrorBody } } }
    }
    : responses

type Responses = Readonly<Record<string, OpenApi.OpenApiSpecResponse>>

const upstreamErrorBody = { $ref: `${prefix}UpstreamErrorBody` }

const hasUpstreamError = (response: OpenApi.OpenApiSpecResponse): boolean =>
  bodiesOf(response).some(({ $ref }) => $ref === upstreamErrorBody.$ref)

const withUpstreamError = (response: OpenApi.OpenApiSpecResponse): OpenApi.OpenApiSpecResponse =>
  response.content?.["application/json"] === undefined || hasUpstreamError(response) ? response : {
    ...response,
    content: { "application/json": { schema: { anyOf: [...bodiesOf(response), upstreamErrorBody] } } }
  }

const integerHeader = (description: string) => ({ description, required: false, schema: jsonSchema(Schema.Int) })

const rateLimitHeaders = {
  "retry-after": integerHeader("Seconds until the key can make another request."),
  "ratelimit-limit": integerHeader("The number of requests that a key can make in a window."),
  "ratelimit-remaining": integerHeader("The number of requests left in the window."),
  "ratelimit-reset": integerHeader("Seconds until the window ends.")
}
