import { Effect } from "effect"
import type { AgentTools, ToolReader } from "../../../Calls/AgentTools/AgentTools.ts"
import type { Catalog } from "../../../Providers/Catalog/Catalog.ts"
import type { ToolOperation } from "../../../Providers/Catalog/Operation.ts"
import { smartTool } from "./SmartTools.ts"
import { type ServedFields, type ToolDefinition, toolDefinition } from "./ToolDefinition.ts"

export const makeToolList = (
  { providers, tool }: Catalog["Service"],
  agentTools: AgentTools["Service"],
  served: ServedFields
) => {
  const operations = providers.flatMap((provider) =>
    provider.tools.map(({ name }) => Effect.runSync(Effect.orDie(tool(provider, name))))
  )
  const byName = new Map(operations.map((operation) => [operation.tool.name, operation]))
  const definitions = new Map<ToolOperation, ToolDefinition>()

  const define = (operation: ToolOperation): ToolDefinition => {
    const definition = definitions.get(operation) ?? smartTool(operation, served)
    definitions.set(operation, definition)
    return definition
  }

  return {
    names: () => [...agentTools.all().map(({ name }) => name), ...byName.keys()],

    find: (name: string): ToolOperation | undefined => byName.get(name),

    list: (
      { principal, unconnected }: Omit<ToolReader, "providers">,
      visible: ReadonlySet<string>
    ): ReadonlyArray<ToolDefinition> => {
      const shown = providers.filter(({ id }) => visible.has(id))
      // Without a visible provider, the tools list all providers: an empty enum is invalid.
      const reader = { principal, unconnected, providers: shown.length === 0 ? providers : shown }
      return [
        ...agentTools.all().flatMap(({ describe, name }) => {
          const text = describe(reader)
          return text === undefined ? [] : [toolDefinition(name, text)]
        }),
        ...operations
          .filter(({ provider, writes }) => visible.has(provider.id) && (principal.access === "read_write" || !writes))
          .map(define)
      ]
    }
  }
}
