import { Predicate } from "effect"
import type { Operation } from "../../../Providers/Catalog/Operation.ts"

/** Most useful first. */
const limitingFields = [
  "limit",
  "max_chars",
  "fields",
  "rowLimit",
  "pageSize",
  "range",
  "ranges",
  "days",
  "startDate"
]
const pagingFields = ["offset", "start_index", "tab", "startRow", "pageToken"]

export const askForLess = (operation: Operation): string => {
  const fields = fieldsOf(operation)
  const [less, more] = [limitingFields, pagingFields].map((names) =>
    names.filter((name) => fields.has(name)).slice(0, 3).map((name) => `\`${name}\``)
  )
  if (less === undefined || less.length === 0) return "No field of its input makes it smaller; prefer a smart tool."
  const rest = more === undefined || more.length === 0 ? "" : `, and for the rest with ${more.join(" or ")}`
  return `Ask for less with ${less.join(" or ")}${rest}.`
}

const fieldsOf = (operation: Operation): ReadonlySet<string> => {
  const schema = operation.inputSchema()
  const resolve = (node: unknown): unknown => {
    const ref = Predicate.hasProperty(node, "$ref") && Predicate.isString(node.$ref) ? node.$ref : undefined
    const definitions = schema["$defs"]
    return ref === undefined || !Predicate.isObject(definitions) ? node : definitions[ref.split("/").at(-1) ?? ""]
  }
  const propertiesOf = (node: unknown): Readonly<Record<string, unknown>> => {
    const resolved = resolve(node)
    const properties = Predicate.hasProperty(resolved, "properties") ? resolved.properties : undefined
    return Predicate.isObject(properties) ? properties : {}
  }
  const own = propertiesOf(schema)
  return new Set([
    ...Object.keys(own),
    ...["path", "query", "body"].flatMap((part) => Object.keys(propertiesOf(own[part])))
  ])
}
