import { Predicate } from "effect"
import { type DiscoverySchema, isPreview } from "../../scripts/schemas/Discovery.ts"

export interface DiscoveryRules {
  readonly schemas: Readonly<Record<string, DiscoverySchema>>
  /** Search Console uses `byPage` where its document says `BY_PAGE`. */
  readonly sameSpelling: (value: string, documented: string) => boolean
  readonly previews: "refused" | "accepted"
}

/** One line per fault, starting with its path. */
export const findFaults = (
  rules: DiscoveryRules,
  property: DiscoverySchema,
  value: unknown,
  at: string
): ReadonlyArray<string> => {
  const fault = (expected: string) => [`${at}: expected ${expected}, got ${JSON.stringify(value)}`]
  const matches = (pattern: RegExp) => Predicate.isString(value) && pattern.test(value)

  if (property.$ref !== undefined) {
    const schema = rules.schemas[property.$ref]
    return schema === undefined ? [`${at}: unknown schema ${property.$ref}`] : findFaults(rules, schema, value, at)
  }
  if (property.enum !== undefined) {
    const known = Predicate.isString(value) && property.enum.some((name) => rules.sameSpelling(value, name))
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
        ? value.flatMap((each, index) => findFaults(rules, property.items ?? {}, each, `${at}[${index}]`))
        : fault("an array")
    case "object":
      return Predicate.isObject(value) && !Array.isArray(value)
        ? Object.entries(value).flatMap(([name, each]) => memberFaults(rules, property, name, each, `${at}.${name}`))
        : fault("an object")
    default:
      return [`${at}: ${property.type} of format ${property.format} is not supported`]
  }
}

const memberFaults = (rules: DiscoveryRules, owner: DiscoverySchema, name: string, value: unknown, at: string) => {
  const member = Object.hasOwn(owner.properties ?? {}, name) ? owner.properties?.[name] : owner.additionalProperties
  if (member === undefined) return [`${at}: unknown name`]
  if (rules.previews === "refused" && isPreview(member)) return [`${at}: for members of a preview programme alone`]
  return findFaults(rules, member, value, at)
}
