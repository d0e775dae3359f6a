import { Predicate, Record } from "effect"
import type { JsonSchema } from "../../../Providers/JsonSchema.ts"
import type { ToolOperation } from "../../../Providers/Operation.ts"
import { annotate, connectionId, maxAge, type ToolDefinition, wholeSentences } from "./ToolDefinition.ts"

export const smartTool = (operation: ToolOperation): ToolDefinition => {
  const { provider, tool, writes } = operation
  const title = `${provider.name}: ${tool.name.slice(tool.name.indexOf("_") + 1).replaceAll("_", " ")}`
  const { $schema: _, additionalProperties: __, properties, type: ___, ...schema } = operation.inputSchema()
  return {
    name: tool.name,
    title,
    description: wholeSentences(tool.description),
    inputSchema: {
      type: "object",
      ...schema,
      properties: {
        ...Predicate.isObject(properties) ? Record.map({ ...properties }, withoutPatterns) : {},
        connection_id: connectionId,
        ...writes ? {} : { max_age: maxAge }
      }
    },
    annotations: annotate(title, {
      writes,
      destructive: tool.destructive ?? false,
      ...tool.idempotent === undefined ? {} : { idempotent: tool.idempotent }
    })
  }
}

/** The service checks patterns. The descriptions say the same in fewer characters. */
const withoutPatterns = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withoutPatterns)
  if (!Predicate.isObject(node)) return node
  return Record.map(
    Record.filter({ ...node }, (value, key) => key !== "pattern" || !Predicate.isString(value)),
    withoutPatterns
  )
}

export const callOfTool = (
  { provider, tool, writes }: ToolOperation,
  { connection_id, max_age, ...input }: Readonly<Record<string, unknown>>
): JsonSchema => ({
  provider: provider.id,
  tool: tool.name,
  input: writes && max_age !== undefined ? { ...input, max_age } : input,
  ...connection_id === undefined ? {} : { connection_id },
  ...writes || max_age === undefined ? {} : { max_age }
})
