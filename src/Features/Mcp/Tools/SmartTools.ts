import { Predicate, Record } from "effect"
import { CallRequest } from "../../../Api/Calls/CallApi.ts"
import { isBlank, withoutBlanks } from "../../../Domain/Validation/Blanks.ts"
import type { JsonSchema } from "../../../Providers/Catalog/JsonSchema.ts"
import type { ToolOperation } from "../../../Providers/Catalog/Operation.ts"
import {
  annotate,
  connectionId,
  dryRun,
  maxAge,
  type ServedFields,
  shapes,
  type ToolDefinition,
  wholeSentences
} from "./ToolDefinition.ts"

export const smartTool = (operation: ToolOperation, served: ServedFields): ToolDefinition => {
  const { provider, tool, writes } = operation
  const title = `${provider.name}: ${tool.name.slice(tool.name.indexOf("_") + 1).replaceAll("_", " ")}`
  const { $schema: _, additionalProperties: __, properties, type: ___, ...schema } = operation.inputSchema()
  return {
    name: tool.name,
    title,
    description: wholeSentences(tool.brief ?? tool.description),
    inputSchema: {
      type: "object",
      ...schema,
      properties: {
        ...Predicate.isObject(properties)
          ? Record.map({ ...properties }, (property, name) => withoutText(compact(property), name))
          : {},
        connection_id: connectionId,
        ...fieldsOfCall(operation, served)
      }
    },
    annotations: annotate(title, {
      writes,
      destructive: tool.destructive ?? false,
      ...tool.idempotent === undefined ? {} : { idempotent: tool.idempotent }
    })
  }
}

const fieldsOfCall = (operation: ToolOperation, { hasPreview, hasResults }: ServedFields) => ({
  ...operation.writes ? hasPreview ? { dry_run: dryRun } : {} : { max_age: maxAge },
  ...hasResults && isShapeable(operation) ? shapes : {}
})

const isShapeable = ({ hasOwnFormat, writes }: ToolOperation): boolean => !writes && !hasOwnFormat

/** The service checks these keywords, and descriptions say the same in fewer characters. */
const omittedKeywords = new Set(["pattern", "minLength", "maxLength", "minItems", "maxItems"])

const compact = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(compact)
  if (!Predicate.isObject(node)) return node
  const fields = Object.entries(node).filter(([key, value]) => !isLeftOut(key, value))
  return Object.fromEntries(fields.map(([key, value]) => [key, key === "enum" ? spellings(value) : compact(value)]))
}

const isLeftOut = (key: string, value: unknown): boolean =>
  // A property may have the name of a keyword.
  omittedKeywords.has(key) && !Predicate.isObject(value) ||
  key === "default" && isEmpty(value) ||
  key === "minimum" && Number(value) <= 1 ||
  key === "maximum" && Number(value) > 1_000

/** Removes the descriptions of `limit` and `offset`, whose names say enough. */
const withoutText = (property: unknown, name: string): unknown => {
  if (!Predicate.isObject(property) || name !== "limit" && name !== "offset") return property
  const { description: _, ...rest } = { description: undefined, ...property }
  return rest
}

/** The usual meaning of an absent field. */
const isEmpty = (value: unknown): boolean =>
  value === false || value === 0 || value === "" || Array.isArray(value) && value.length === 0

/** Each choice once, without the empty text and the spelling in capitals, which are accepted too. */
const spellings = (values: unknown): unknown =>
  Array.isArray(values) && values.every(Predicate.isString)
    ? values.filter((each) => each !== "" && (each === each.toLowerCase() || !values.includes(each.toLowerCase())))
    : values

/** Unknown arguments stay in the input of the tool, whose schema refuses them. */
export const callOfTool = (
  operation: ToolOperation,
  args: Readonly<Record<string, unknown>>,
  served: ServedFields
): JsonSchema => {
  const { provider, tool } = operation
  const ofCall = new Set(["connection_id", ...Object.keys(fieldsOfCall(operation, served))])
  return {
    provider: provider.id,
    tool: tool.name,
    input: Record.filter(args, (_, name) => !ofCall.has(name)),
    ...withoutBlankFields(Record.filter(args, (_, name) => ofCall.has(name)))
  }
}

const clean = withoutBlanks(CallRequest.ast)

/** Removes blank fields of a call. */
const withoutBlankFields = (args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const cleaned = clean(args)
  return Predicate.isObject(cleaned) ? { ...cleaned } : args
}

const parts = new Set(["path", "query", "body"])

/**
 * An agent also fills in the parts of the input that an endpoint does not have. A `tool` among the arguments is refused,
 * not called.
 */
export const callOfEndpoint = (args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const call: Readonly<Record<string, unknown>> = {
    ..."tool" in args ? { endpoint: "" } : {},
    ...withoutBlankFields(args)
  }
  const input = call["input"]
  return Predicate.isObject(input)
    ? {
      ...call,
      input: Object.fromEntries(Object.entries(input).filter(([name, part]) => !parts.has(name) || !isBlank(part)))
    }
    : call
}
