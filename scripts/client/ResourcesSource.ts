import { Context, type JsonSchema } from "effect"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "../../src/Features/Contracts.ts"
import { paths, schemas } from "./Document.ts"
import { camelCase, pascalCase } from "./Names.ts"
import { declaration, typeExpression } from "./TypeSource.ts"

const {
  approvals,
  bulkCalls,
  connectLinks,
  connections,
  datasets,
  logs,
  managedConnections,
  quotas,
  results,
  undo,
  webhooks
} = Api.groups

/** The groups of the API that the client has beside calls. */
const groups = [
  logs,
  connections,
  quotas,
  results,
  bulkCalls,
  approvals,
  undo,
  managedConnections,
  connectLinks,
  webhooks,
  datasets
]

/** Only people decide, with a session. */
const needsSession = ["listApprovals", "approve", "deny"]

const renamed: Readonly<Record<string, string>> = { change: "update", file: "download" }

const methodNames = { GET: "get", POST: "post", PUT: "put", PATCH: "patch", DELETE: "delete" } as const

type Declare = (name: string, schema: JsonSchema.JsonSchema) => string

export const resourcesSource = (): string => {
  const types = new Map<string, string>()
  const declare: Declare = (name, schema) => {
    if (types.has(name)) return name
    types.set(name, "")
    types.set(name, declaration(name, withoutFormat(schema)))
    for (const [, each = ""] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      declare(each, { ...schemas[each] })
    }
    return name
  }
  const resources = groups.map(({ endpoints, identifier }) => ({
    identifier,
    methods: Object.values(endpoints).flatMap((endpoint) => methodSource(identifier, endpoint, declare))
  }))
  return [
    `import type { RequestFile, RequestOptions, SendRequest } from "../Request.ts"\n`,
    ...types.values(),
    ...resources.map(({ identifier, methods }) =>
      `export interface ${pascalCase([identifier])} {\n${methods.map(({ type }) => type).join("\n")}\n}\n`
    ),
    `export interface Resources {\n${
      resources.map(({ identifier }) => `readonly ${identifier}: ${pascalCase([identifier])}\n`).join("")
    }}\n`,
    `export const resources = (request: SendRequest, requestFile: RequestFile): Resources => ({\n${
      resources.map(({ identifier, methods }) =>
        `${identifier}: {\n${methods.map(({ value }) => value).join(",\n")}\n}`
      )
        .join(",\n")
    }\n})\n`
  ].join("\n")
}

interface Endpoint {
  readonly annotations: Context.Context<never>
  readonly identifier: string
  readonly method: keyof typeof methodNames
  readonly path: string
}

const methodSource = (group: string, { annotations, identifier, method, path }: Endpoint, declare: Declare) => {
  if (Context.get(annotations, OpenApi.Exclude)) return []
  const operation = paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[methodNames[method]]
  if (operation === undefined) throw new Error(`The OpenAPI document has no ${method} ${path}`)
  if (needsSession.includes(operation.operationId)) return []
  const name = renamed[identifier] ?? identifier
  const typeOf = (suffix: string, schema: JsonSchema.JsonSchema) => {
    const referenced = schema["$ref"] === undefined ? undefined : typeExpression(schema)
    return referenced === undefined
      ? declare(pascalCase([group, name, suffix]), schema)
      : declare(referenced, { ...schemas[referenced] })
  }

  const segments = path.split("/").slice(1).map((segment) =>
    segment.startsWith(":") ? camelCase(segment.slice(1)) : JSON.stringify(segment)
  )
  const ids = segments.filter((segment) => !segment.startsWith("\""))
  const output = outputOf(operation)
  const isFile = contentOf(operation)?.["application/octet-stream"] !== undefined
  const [input, ...others] = inputsOf(operation)
  if (others.length > 0) throw new Error(`${method} ${path} has both a query and a body`)
  const isOptional = input !== undefined && requiredIn(input.schema).length === 0

  const parameters = [
    ...ids.map((id) => `${id}: string`),
    ...input === undefined ? [] : [`input${isOptional ? "?" : ""}: ${typeOf("Input", input.schema)}`],
    "options?: RequestOptions"
  ]
  const names = [...ids, ...input === undefined ? [] : [`${input.name}${isOptional ? " = {}" : ""}`], "options"]
  const request = [
    ...isFile ? [] : [`method: ${JSON.stringify(method)}`],
    `path: [${segments.join(", ")}]`,
    ...input === undefined ? [] : [input.name],
    ...output === undefined ? [] : [`has: ${JSON.stringify(requiredIn(output)[0])}`]
  ]
  const { description, summary } = operation
  return [{
    type: `/** ${[summary, description].flatMap((text) => text?.replace(/\.$/, "") ?? []).join(". ")}. */\n` +
      `readonly ${name}: (${parameters.join(", ")}) => Promise<${
        isFile ? "ReadableStream<Uint8Array>" : output === undefined ? "void" : typeOf("Output", output)
      }>`,
    value: `${name}: (${names.join(", ")}) => ${isFile ? "requestFile" : "request"}({ ${request.join(", ")} }, options)`
  }]
}

/** With another format than JSON, the response is a text. */
const withoutFormat = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  const { format, ...properties } = Object(schema["properties"])
  return String(Object(format)["enum"]).startsWith("json,") ? { ...schema, properties } : schema
}

const inputsOf = ({ parameters, requestBody }: OpenApi.OpenAPISpecOperation) => {
  const query = parameters.filter((parameter) => parameter.in === "query")
  const body = requestBody?.content["application/json"]?.schema
  return [
    ...query.length === 0 ? [] : [{
      name: "query",
      schema: {
        type: "object",
        properties: Object.fromEntries(query.map(({ name, schema }) => [name, queryParameter({ ...Object(schema) })])),
        required: query.filter(({ required }) => required).map(({ name }) => name)
      }
    }],
    ...body === undefined ? [] : [{ name: "body", schema: body }]
  ]
}

/** A query has booleans as text. */
const queryParameter = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema =>
  String(schema["enum"]) === "true,false" ? { type: "boolean" } : schema

const contentOf = ({ responses }: OpenApi.OpenAPISpecOperation) =>
  Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1].content

const outputOf = (operation: OpenApi.OpenAPISpecOperation): JsonSchema.JsonSchema | undefined =>
  contentOf(operation)?.["application/json"]?.schema

const requiredIn = (schema: JsonSchema.JsonSchema): ReadonlyArray<unknown> => {
  const required = schema["$ref"] === undefined ? schema["required"] : schemas[typeExpression(schema)]?.["required"]
  return Array.isArray(required) ? required : []
}
