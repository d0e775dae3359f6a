import { Effect, Record, String } from "effect"
import { CallRequest } from "../../Api/Calls/CallApi.ts"
import { jsonSchema } from "../../Api/JsonSchema.ts"
import type { Catalog } from "../../Providers/Catalog/Catalog.ts"
import type { JsonSchema } from "../../Providers/Catalog/JsonSchema.ts"
import type { Operation } from "../../Providers/Catalog/Operation.ts"
import type { Provider } from "../../Providers/Provider.ts"
import { generatorSchema } from "./GeneratorSchema.ts"

type Schemas = Readonly<Record<string, JsonSchema>>

export const callSchemas = Effect.fn("callSchemas")(
  function*(catalog: Catalog["Service"], stepFields: ReadonlySet<string>) {
    const ofProviders = yield* Effect.forEach(
      catalog.providers,
      (provider) => providerSchemas(catalog, provider, stepFields)
    )
    return {
      ...Object.fromEntries(ofProviders.flatMap(Object.entries)),
      // Without `discriminator`: generators accept it only for objects, and these members are unions.
      CallRequest: {
        description: "A call of a raw endpoint or of a smart tool. `provider` and the operation decide about `input`.",
        oneOf: catalog.providers.map(({ id }) => ({ $ref: reference(`${prefixOf(id)}Call`) }))
      }
    }
  },
  Effect.orDie
)

const providerSchemas = Effect.fnUntraced(function*(
  catalog: Catalog["Service"],
  provider: Provider,
  stepFields: ReadonlySet<string>
) {
  const endpoints = yield* Effect.forEach(
    provider.endpoints,
    ({ description, id }) =>
      Effect.map(catalog.endpoint(provider, id), operationSchemas("endpoint", id, description, stepFields))
  )
  const tools = yield* Effect.forEach(
    provider.tools,
    ({ description, name }) =>
      Effect.map(catalog.tool(provider, name), operationSchemas("tool", name, description, stepFields))
  )
  const prefix = prefixOf(provider.id)
  const kinds = [
    { name: `${prefix}EndpointCall`, field: "endpoint", what: "A call of a raw endpoint", operations: endpoints },
    { name: `${prefix}ToolCall`, field: "tool", what: "A call of a smart tool", operations: tools }
  ].filter(({ operations }) => operations.length > 0)
  const unions = kinds.map(({ field, name, operations, what }) => [
    name,
    union(`${what} of ${provider.name}.`, field, operations.map(({ id, name }) => [id, name]))
  ])
  return {
    ...Object.fromEntries([...endpoints, ...tools].flatMap(({ schemas }) => Object.entries(schemas))),
    ...Object.fromEntries(unions),
    [`${prefix}Call`]: {
      description: `A call of ${provider.name}.`,
      oneOf: kinds.map(({ name }) => ({ $ref: reference(name) }))
    }
  }
})

const operationSchemas =
  (field: "endpoint" | "tool", id: string, description: string, stepFields: ReadonlySet<string>) =>
  ({ hasOwnFormat, inputSchema, provider, writes }: Operation) => {
    const prefix = prefixOf(provider.id)
    const ownName = prefix + String.pascalCase(id.startsWith(`${provider.id}_`) ? id.slice(provider.id.length) : id)
    const input = inputSchema()
    const refer = (name: string) => reference(prefix + name)
    const required = ["provider", field, ...isOptional(input) ? [] : ["input"]]
    const schemas: Schemas = {
      ...Object.fromEntries(
        Object.entries(Object(input["$defs"])).map((
          [name, schema]
        ) => [prefix + name, generatorSchema(Object(schema), refer)])
      ),
      [`${ownName}Input`]: generatorSchema(input, refer),
      [`${ownName}Call`]: {
        type: "object",
        description,
        properties: {
          provider: { type: "string", enum: [provider.id] },
          [field]: { type: "string", enum: [id] },
          input: { $ref: reference(`${ownName}Input`) },
          ...commonFields,
          ...Record.filter(writes ? ofWrites : hasOwnFormat ? {} : shapeFields, (_, name) => stepFields.has(name))
        },
        required,
        additionalProperties: false
      }
    }
    return { id, name: `${ownName}Call`, schemas }
  }

const { connection_id, dry_run, format, keep, max_age, select } = CallRequest.fields
const commonFields = { connection_id: jsonSchema(connection_id.schema), max_age: jsonSchema(max_age.schema) }
const shapeFields: Schemas = {
  select: jsonSchema(select.schema),
  format: jsonSchema(format.schema),
  keep: jsonSchema(keep.schema)
}

const ofWrites: Schemas = { dry_run: jsonSchema(dry_run.schema) }

const prefixOf = (provider: string) => String.pascalCase(provider)

const reference = (name: string) => `#/components/schemas/${name}`

const isOptional = ({ required }: JsonSchema): boolean => !Array.isArray(required) || required.length === 0

const union = (
  description: string,
  propertyName: string,
  members: ReadonlyArray<readonly [value: string, name: string]>
): JsonSchema => ({
  description,
  oneOf: members.map(([, name]) => ({ $ref: reference(name) })),
  discriminator: {
    propertyName,
    mapping: Record.fromEntries(members.map(([value, name]) => [value, reference(name)]))
  }
})
