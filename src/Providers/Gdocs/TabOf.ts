import { Effect } from "effect"
import type { InvalidInput } from "../../Api/Errors.ts"
import { mistake } from "./Mistakes.ts"
import { findTab, type TabView } from "./Read/Tabs.ts"

/** The tab that a caller names; by default the first. */
export const tabOf = Effect.fnUntraced(function*(
  tabs: ReadonlyArray<TabView>,
  wanted: string | undefined
): Effect.fn.Return<TabView, InvalidInput> {
  const [first] = tabs
  if (first === undefined) return yield* mistake("document", "The document has no tab that can be read.")
  if (wanted === undefined) return first
  const found = findTab(tabs, wanted)
  return "tab" in found ? found.tab : yield* mistake("tab", found.message)
})
