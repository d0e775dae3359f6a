interface Property {
  readonly name: string
  readonly type: string | undefined
  readonly description: string | undefined
  readonly isRequired: boolean
}

export type JsonSchema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

const maxReferences = 8

const follow = (root: JsonSchema, reference: string): unknown =>
  reference.replace(/^#\//, "").split("/").reduce<unknown>(
    (value, name) => isSchema(value) ? value[name.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined,
    root
  )

const resolve = (root: JsonSchema, schema: unknown, references = 0): JsonSchema | undefined => {
  if (!isSchema(schema)) return undefined
  const { $ref } = schema
  if (typeof $ref !== "string" || references === maxReferences) return schema
  return resolve(root, follow(root, $ref), references + 1)
}

const alternatives = (root: JsonSchema, schema: unknown): ReadonlyArray<JsonSchema> => {
  const resolved = resolve(root, schema)
  if (!resolved) return []
  const unions = [resolved["anyOf"], resolved["oneOf"], resolved["allOf"]].filter(isList)
  return [resolved, ...unions.flat().map((member) => resolve(root, member)).filter((each) => each !== undefined)]
}

const textOf = (value: unknown) => typeof value === "string" ? value : undefined

const schemasAt = (root: JsonSchema, path: ReadonlyArray<string>): ReadonlyArray<JsonSchema> => {
  let found = alternatives(root, root)
  for (const step of path) {
    found = found.flatMap((schema) => {
      const { items, properties } = schema
      const next = isSchema(properties) && Object.hasOwn(properties, step)
        ? properties[step]
        : step === "0"
        ? items
        : undefined
      return alternatives(root, next)
    })
  }
  return found
}

export const valuesAt = (root: JsonSchema, path: ReadonlyArray<string>): ReadonlyArray<unknown> => [
  ...new Set(
    schemasAt(root, path).flatMap(({ const: only, enum: values, type }) => {
      if (isList(values)) return values
      if (only !== undefined) return [only]
      return type === "boolean" ? [true, false] : []
    })
  )
]

export const propertiesAt = (root: JsonSchema, path: ReadonlyArray<string>): ReadonlyArray<Property> => {
  const byName = new Map(
    schemasAt(root, path).flatMap(({ properties, required }) =>
      isSchema(properties)
        ? Object.entries(properties).map(([name, property]) => {
          const schema = resolve(root, property)
          return [name, {
            name,
            type: textOf(schema?.["type"]),
            description: textOf(schema?.["description"]),
            isRequired: isList(required) && required.includes(name)
          }] as const
        })
        : []
    )
  )
  return [...byName.values()]
}
