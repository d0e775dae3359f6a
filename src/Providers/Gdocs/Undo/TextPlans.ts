import { Predicate } from "effect"
import type { TextChange } from "../../../Domain/Calls/Change.ts"
import type { UnkeptReason } from "../../../Domain/Calls/UndoReason.ts"
import { segmentsOf, textOf } from "../Editing/Lines.ts"
import { changeOf, editDocument } from "../Editing/Replacements.ts"
import { isOfText, type TextEdits } from "../Editing/TextEdits.ts"
import { isInverse, type KeptRegion, regionsIn, undoRegions } from "./Regions.ts"

/** The parts of a plan that take long for a long document. They take and return JSON, beside documents. */
export interface TextPlans {
  readonly planned: {
    readonly input: { readonly edits: TextEdits }
    readonly output: {
      readonly revisionId?: string
      /** None where the effect of the edits is not known. */
      readonly changes?: ReadonlyArray<TextChange>
      readonly unkept?: UnkeptReason
    }
  }
  readonly changed: {
    /** With the revision of the document after the write. */
    readonly input: { readonly edits: TextEdits; readonly revision?: string }
    /** None where another edit came between, or where the write did something else than was planned. */
    readonly output: { readonly regions?: ReadonlyArray<KeptRegion> }
  }
  readonly undone: {
    readonly input: { readonly regions: ReadonlyArray<KeptRegion> }
    readonly output: ReturnType<typeof undoRegions> & { readonly revisionId?: string }
  }
}

export const textPlans: {
  readonly [Name in keyof TextPlans]: (
    input: TextPlans[Name]["input"],
    documents: ReadonlyArray<unknown>
  ) => TextPlans[Name]["output"]
} = {
  planned: ({ edits }, [document]) => {
    const { parts, problem } = editDocument(document, edits)
    if (problem !== undefined) return { ...revisionOf(document), unkept: problem }
    const changes = parts.flatMap(({ lines, replacements, tabId }) => {
      const text = textOf(lines)
      return replacements.map((each) => changeOf(tabId, text, each))
    })
    const isExact = parts.every(({ edited, lines, replacements }) =>
      edited.isCertain && isInverse(lines, edited.lines, replacements)
    )
    return {
      ...revisionOf(document),
      // Edits of styles alone are shown as the request.
      ...changes.length > 0 || edits.every(isOfText) ? { changes } : {},
      ...isExact ? {} : { unkept: "no_inverse" }
    }
  },
  changed: ({ edits, revision }, [before, after]) => {
    const left = segmentsOf(after)
    const { parts } = editDocument(before, edits)
    const isAsPlanned = parts.every(({ edited, lines, replacements }, nth) => {
      const now = left[nth]?.lines
      return now !== undefined && textOf(now) === textOf(edited.lines) && isInverse(lines, now, replacements)
    })
    return isAsPlanned && (revision === undefined || revision === revisionOf(after).revisionId)
      ? { regions: left.flatMap((now, nth) => regionsIn(now, parts[nth]?.replacements ?? [])) }
      : {}
  },
  undone: ({ regions }, [now]) => ({ ...revisionOf(now), ...undoRegions(segmentsOf(now), regions) })
}

const revisionOf = (document: unknown): { readonly revisionId?: string } =>
  Predicate.hasProperty(document, "revisionId") && typeof document.revisionId === "string"
    ? { revisionId: document.revisionId }
    : {}
