import type { Writing } from "../../Provider.ts"
import { planEdits } from "./PlanEdits.ts"
import { planAppend, planCells } from "./PlanValues.ts"
import { undoSheets } from "./UndoSheets.ts"

export const sheetsWriting: Writing = {
  plan: (touched, provider) => {
    switch (touched._tag) {
      case "Cells":
        return planCells(touched, provider)
      case "AppendedCells":
        return planAppend(touched, provider)
      case "Edits":
        return planEdits(touched, provider)
    }
  },
  undo: undoSheets
}
