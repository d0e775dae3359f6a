import { Predicate } from "effect"
import type { TextChange } from "../../../Domain/Calls/Change.ts"
import type { UnkeptReason } from "../../../Domain/Calls/UndoReason.ts"
import { changeOf, EditedText } from "./EditedText.ts"
import { hasInverse, keepsStyles } from "./Inverse.ts"
import { regionsIn, type ReplacedText, undoRegions } from "./Regions.ts"
import { segmentsOf } from "./Segments.ts"
import { applyEdits, isOfText, type TextEdits } from "./TextEdits.ts"

const editDocument = (document: unknown, edits: TextEdits) => {
  const parts = segmentsOf(document).map((segment) => ({ ...segment, edited: new EditedText(segment.text) }))
  return { problem: applyEdits(parts, edits), parts }
}

const revisionOf = (document: unknown): { readonly revisionId?: string } =>
  Predicate.hasProperty(document, "revisionId") && typeof document.revisionId === "string"
    ? { revisionId: document.revisionId }
    : {}

/** The parts of a plan that take long for a long document. They take and return JSON, beside documents. */
export const textPlans = {
  planned: ({ edits }: { readonly edits: TextEdits }, [document]: ReadonlyArray<unknown>): {
    readonly revisionId?: string
    /** Absent if the effect of the edits is not known. */
    readonly changes?: ReadonlyArray<TextChange>
    readonly unkept?: UnkeptReason
  } => {
    const { parts, problem } = editDocument(document, edits)
    if (problem !== undefined) return { ...revisionOf(document), unkept: problem }
    const changes = parts.flatMap(({ edited, tabId, text }) =>
      edited.replacements.map((each) => changeOf(tabId, text, each))
    )
    return {
      ...revisionOf(document),
      // Edits of styles alone are shown as the request.
      ...changes.length > 0 || edits.every(isOfText) ? { changes } : {},
      ...parts.every(hasInverse) ? {} : { unkept: "no_inverse" }
    }
  },

  /** With the revision after the write. Without regions if another edit came between, or it did not go as planned. */
  changed: (
    { edits, revision }: { readonly edits: TextEdits; readonly revision?: string },
    [before, now]: ReadonlyArray<unknown>
  ): { readonly regions?: ReadonlyArray<ReplacedText> } => {
    const left = segmentsOf(now)
    const { parts } = editDocument(before, edits)
    const isAsPlanned = parts.every((part, nth) => {
      const segment = left[nth]
      return segment?.text === part.edited.text && keepsStyles(part, segment)
    })
    return isAsPlanned && (revision === undefined || revision === revisionOf(now).revisionId)
      ? { regions: left.flatMap((segment, nth) => regionsIn(segment, parts[nth]?.edited.replacements ?? [])) }
      : {}
  },

  undone: ({ regions }: { readonly regions: ReadonlyArray<ReplacedText> }, [now]: ReadonlyArray<unknown>) => ({
    ...revisionOf(now),
    ...undoRegions(segmentsOf(now), regions)
  })
}

export type TextPlans = typeof textPlans
