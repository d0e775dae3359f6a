import type { FeaturePages } from "../../../Dashboard/Frame/FeaturePages.ts"
import { loadLater } from "../../../Dashboard/Parts/LoadLater.tsx"

export const undoPages: FeaturePages = {
  feature: "undo",
  aboutCall: loadLater(async () => (await import("./UndoButton.tsx")).UndoButton, null)
}
