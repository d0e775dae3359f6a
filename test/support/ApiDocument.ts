import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { Effect, Schema } from "effect"
import { TestServer } from "./TestServer.ts"

const Content = Schema.Record(
  Schema.String,
  Schema.Struct({
    schema: Schema.Unknown,
    examples: Schema.optionalKey(Schema.Record(Schema.String, Schema.Struct({ value: Schema.Unknown })))
  })
)

const Parameter = Schema.Struct({
  name: Schema.String,
  in: Schema.Literals(["path", "query", "header"]),
  schema: Schema.Record(Schema.String, Schema.Unknown)
})

const Document = Schema.Struct({
  openapi: Schema.String,
  paths: Schema.Record(
    Schema.String,
    Schema.Record(
      Schema.String,
      Schema.Struct({
        summary: Schema.String,
        security: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)),
        parameters: Schema.Array(Parameter),
        requestBody: Schema.optionalKey(Schema.Struct({ content: Content })),
        responses: Schema.Record(Schema.String, Schema.Struct({ content: Schema.optionalKey(Content) }))
      })
    )
  ),
  components: Schema.Struct({
    schemas: Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Unknown)),
    securitySchemes: Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Unknown))
  })
})

export interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly schemes: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<typeof Parameter.Type>
  readonly body: unknown
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>
  readonly complaint: (status: number, contentType: string, body: string) => string | undefined
}

export interface ApiDocument {
  readonly document: typeof Document.Type
  readonly operations: ReadonlyArray<Operation>
  readonly complaintAbout: (schema: string, body: string) => string | undefined
  readonly errorComplaint: (body: string) => string | undefined
}

const named = (name: string) => ({ $ref: `#/components/schemas/${name}` })

export const readApiDocument = (json: unknown): ApiDocument => {
  const document = Schema.decodeUnknownSync(Document)(json)
  const { components, paths } = document
  const $defs = JSON.parse(JSON.stringify(components.schemas).replaceAll("#/components/schemas/", "#/$defs/"))
  const alone = (schema: unknown) => ({
    ...JSON.parse(JSON.stringify(schema).replaceAll("#/components/schemas/", "#/$defs/")),
    $defs
  })
  const ajv = new Ajv2020({ validateFormats: false, validateSchema: false, strict: false })
  const validators = new Map<string, ValidateFunction>()
  const complaintOf = (schema: unknown, body: string): string | undefined => {
    const text = JSON.stringify(schema)
    const validate = validators.get(text) ?? ajv.compile(alone(schema))
    validators.set(text, validate)
    try {
      return validate(JSON.parse(body)) ? undefined : ajv.errorsText(validate.errors)
    } catch {
      return "is not JSON"
    }
  }

  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody, responses, security, summary }]): Operation => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      summary,
      schemes: security.flatMap(Object.keys),
      parameters,
      body: requestBody === undefined ? undefined : alone(requestBody.content["application/json"]?.schema),
      examples: requestBody?.content["application/json"]?.examples ?? {},
      complaint: (status, contentType, body) => {
        const response = responses[status] ?? responses["default"]
        if (response === undefined) return "has a status that is not documented"
        if (response.content === undefined) return body === "" ? undefined : "has a body"
        const type = contentType.split(";")[0] ?? ""
        const documented = Object.entries(response.content).find(([each]) => each.split(";")[0] === type)?.[1]
        if (documented === undefined) return `is ${contentType}`
        return type === "application/json" ? complaintOf(documented.schema, body) : undefined
      }
    }))
  )
  const errors = Object.keys(components.schemas).filter((name) => name.endsWith("Body"))
  const anyError = { anyOf: errors.map(named) }
  return {
    document,
    operations,
    complaintAbout: (name, body) => complaintOf(named(name), body),
    errorComplaint: (body) => complaintOf(anyError, body)
  }
}

export const apiDocument = Effect.gen(function*() {
  const { request } = yield* TestServer
  return readApiDocument((yield* request("GET", "/openapi.json")).json)
})
