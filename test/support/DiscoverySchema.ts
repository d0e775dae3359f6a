import { Predicate, Schema } from "effect"

/** The schema language of discovery documents, as far as Google's use it. */
export interface Property {
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<string>
  readonly items?: Property
  readonly properties?: Readonly<Record<string, Property>>
  readonly additionalProperties?: Property
  readonly $ref?: string
}

const suspended = Schema.suspend((): Schema.Codec<Property> => Property)
export const Property: Schema.Codec<Property> = Schema.Struct({
  type: Schema.optionalKey(Schema.String),
  format: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String),
  enum: Schema.optionalKey(Schema.Array(Schema.String)),
  items: Schema.optionalKey(suspended),
  properties: Schema.optionalKey(Schema.Record(Schema.String, suspended)),
  additionalProperties: Schema.optionalKey(suspended),
  $ref: Schema.optionalKey(Schema.String)
})

export interface Judge {
  readonly schemas: Readonly<Record<string, Property>>
  /** Search Console takes and gives `byPage` for the `BY_PAGE` of its document. */
  readonly sameSpelling: (value: string, documented: string) => boolean
  /** What only members of a preview programme may send is refused to others. */
  readonly previews: "refused" | "accepted"
}

/** What is wrong with a value, one line a fault, each with its place; nothing where the document has it so. */
export const faultsOf = (judge: Judge, property: Property, value: unknown, at: string): ReadonlyArray<string> => {
  const fault = (expected: string) => [`${at}: expected ${expected}, got ${JSON.stringify(value)}`]
  const matches = (pattern: RegExp) => Predicate.isString(value) && pattern.test(value)

  if (property.$ref !== undefined) {
    const schema = judge.schemas[property.$ref]
    return schema === undefined ? [`${at}: unknown schema ${property.$ref}`] : faultsOf(judge, schema, value, at)
  }
  if (property.enum !== undefined) {
    const known = Predicate.isString(value) && property.enum.some((name) => judge.sameSpelling(value, name))
    return known ? [] : fault(`one of ${property.enum.join(" ")}`)
  }
  switch (`${property.type} ${property.format ?? ""}`.trim()) {
    case "any":
      return []
    case "string":
      return Predicate.isString(value) ? [] : fault("a string")
    case "string int64":
      return Number.isSafeInteger(value) || matches(/^-?\d{1,19}$/) ? [] : fault("an int64")
    case "string google-datetime":
      return matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/) ? [] : fault("a timestamp")
    case "string google-fieldmask":
      return matches(/^(\*|[\w.*]+(,[\w.*]+)*)?$/) ? [] : fault("a field mask")
    case "boolean":
      return Predicate.isBoolean(value) ? [] : fault("a boolean")
    case "integer int32":
      return Number.isInteger(value) && Object.is(Number(value), Number(value) | 0) ? [] : fault("an int32")
    case "number double":
    case "number float":
      return Number.isFinite(value) ? [] : fault("a number")
    case "array":
      return Array.isArray(value)
        ? value.flatMap((each, index) => faultsOf(judge, property.items ?? {}, each, `${at}[${index}]`))
        : fault("an array")
    case "object":
      return Predicate.isObject(value) && !Array.isArray(value)
        ? Object.entries(value).flatMap(([name, each]) => memberFaults(judge, property, name, each, `${at}.${name}`))
        : fault("an object")
    default:
      return [`${at}: ${property.type} of format ${property.format} is not known to the validator`]
  }
}

const memberFaults = (judge: Judge, owner: Property, name: string, value: unknown, at: string) => {
  const member = Object.hasOwn(owner.properties ?? {}, name) ? owner.properties?.[name] : owner.additionalProperties
  if (member === undefined) return [`${at}: unknown name`]
  if (judge.previews === "refused" && isPreview(member)) return [`${at}: for members of a preview programme alone`]
  return faultsOf(judge, member, value, at)
}

export const isPreview = ({ description = "" }: Property) => description.includes("Developer Preview")
