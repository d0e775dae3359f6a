import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { Schema } from "effect"

const Content = Schema.Record(Schema.String, Schema.Struct({ schema: Schema.Unknown }))

const Document = Schema.Struct({
  paths: Schema.Record(
    Schema.String,
    Schema.Record(
      Schema.String,
      Schema.Struct({
        security: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)),
        parameters: Schema.Array(
          Schema.Struct({
            name: Schema.String,
            in: Schema.Literals(["path", "query", "header"]),
            schema: Schema.Unknown
          })
        ),
        requestBody: Schema.optionalKey(Schema.Struct({ content: Content })),
        responses: Schema.Record(Schema.String, Schema.Struct({ content: Schema.optionalKey(Content) }))
      })
    )
  ),
  components: Schema.Struct({ schemas: Schema.Record(Schema.String, Schema.Unknown) })
})

export interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly security: string | undefined
  readonly parameters: ReadonlyArray<
    { readonly name: string; readonly in: "path" | "query" | "header"; readonly schema: unknown }
  >
  readonly body: unknown
  readonly complaint: (status: number, contentType: string, body: string) => string | undefined
}

export interface ApiDocument {
  readonly operations: ReadonlyArray<Operation>
  readonly errorComplaint: (body: string) => string | undefined
}

export const readApiDocument = (json: unknown): ApiDocument => {
  const { components, paths } = Schema.decodeUnknownSync(Document)(json)
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
    Object.entries(methods).map(([method, { parameters, requestBody, responses, security }]): Operation => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      security: security.flatMap(Object.keys)[0],
      parameters,
      body: requestBody === undefined ? undefined : alone(requestBody.content["application/json"]?.schema),
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
  const anyError = { anyOf: errors.map((name) => ({ $ref: `#/components/schemas/${name}` })) }
  return { operations, errorComplaint: (body) => complaintOf(anyError, body) }
}
