import { Effect } from "effect"
import type { Catalog } from "../../../Providers/Catalog/Catalog.ts"
import type { ToolOperation } from "../../../Providers/Catalog/Operation.ts"
import { generalTools, type ToolRights } from "./GeneralTools.ts"
import { smartTool } from "./SmartTools.ts"
import type { ToolDefinition } from "./ToolDefinition.ts"

/** Cached lists, one for each set of rights and of providers. */
const capacity = 256

export const makeToolList = ({ providers, tool }: Catalog["Service"]) => {
  const operations = providers.flatMap((provider) =>
    provider.tools.map(({ name }) => Effect.runSync(Effect.orDie(tool(provider, name))))
  )
  const byName = new Map(operations.map((operation) => [operation.tool.name, operation]))
  const lists = new Map<string, ReadonlyArray<ToolDefinition>>()

  const make = (
    visible: ReadonlySet<string>,
    rights: ToolRights,
    connectable: ReadonlyArray<string>
  ): ReadonlyArray<ToolDefinition> => {
    const shown = providers.filter(({ id }) => visible.has(id))
    return [
      // Without a visible provider, the tools list all providers: an empty enum is invalid.
      ...generalTools(shown.length === 0 ? providers : shown, rights, connectable),
      ...operations
        .filter(({ provider, writes }) => visible.has(provider.id) && (rights.access === "read_write" || !writes))
        .map(smartTool)
    ]
  }

  return {
    names: [...byName.keys()],

    find: (name: string): ToolOperation | undefined => byName.get(name),

    /** `connectable` are the providers for which the caller may request a connection. */
    list: (
      visible: ReadonlySet<string>,
      rights: ToolRights,
      connectable: ReadonlyArray<string> = []
    ): ReadonlyArray<ToolDefinition> => {
      const shown = providers.map(({ id }) => id).filter((id) => visible.has(id))
      const key = [rights.access, rights.undo === true, ...shown, "+", ...connectable].join(" ")
      const known = lists.get(key)
      if (known !== undefined) return known
      if (lists.size >= capacity) lists.clear()
      const made = make(visible, rights, connectable)
      lists.set(key, made)
      return made
    }
  }
}
