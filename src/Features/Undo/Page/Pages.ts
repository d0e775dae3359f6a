import type { FeaturePages } from "../../../Dashboard/Frame/FeaturePages.ts"
import { lazyPart } from "../../../Dashboard/Frame/LazyPage.tsx"

export const undoPages: FeaturePages = {
  feature: "undo",
  aboutCall: lazyPart(async () => (await import("./UndoButton.tsx")).UndoButton)
}
