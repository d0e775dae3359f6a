import { Effect } from "effect"
import type { AccessLevel } from "../../../Domain/Principal.ts"
import type { Catalog } from "../../../Providers/Catalog.ts"
import type { ToolOperation } from "../../../Providers/Operation.ts"
import { generalTools } from "./GeneralTools.ts"
import { smartTool } from "./SmartTools.ts"
import type { ToolDefinition } from "./ToolDefinition.ts"

/** Cached lists, one for each set of rights. Five providers have 64. */
const capacity = 256

export const makeToolList = ({ providers, tool }: Catalog["Service"]) => {
  const operations = providers.flatMap((provider) =>
    provider.tools.map(({ name }) => Effect.runSync(Effect.orDie(tool(provider, name))))
  )
  const byName = new Map(operations.map((operation) => [operation.tool.name, operation]))
  const lists = new Map<string, ReadonlyArray<ToolDefinition>>()

  const make = (visible: ReadonlySet<string>, access: AccessLevel): ReadonlyArray<ToolDefinition> => {
    const shown = providers.filter(({ id }) => visible.has(id))
    return [
      // Without a visible provider, the tools list all providers: an empty enum is invalid.
      ...generalTools(shown.length === 0 ? providers : shown, access),
      ...operations
        .filter(({ provider, writes }) => visible.has(provider.id) && (access === "read_write" || !writes))
        .map(smartTool)
    ]
  }

  return {
    names: [...byName.keys()],

    find: (name: string): ToolOperation | undefined => byName.get(name),

    list: (visible: ReadonlySet<string>, access: AccessLevel): ReadonlyArray<ToolDefinition> => {
      const key = [access, ...providers.map(({ id }) => id).filter((id) => visible.has(id))].join(" ")
      const known = lists.get(key)
      if (known !== undefined) return known
      if (lists.size >= capacity) lists.clear()
      const made = make(visible, access)
      lists.set(key, made)
      return made
    }
  }
}
