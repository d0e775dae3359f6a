import { Schema } from "effect"
import { maxContext, type TextChange } from "../../../Domain/Calls/Change.ts"
import type { UnkeptReason } from "../../../Domain/Calls/UndoReason.ts"
import { Document } from "../Responses.ts"
import type { Request } from "../Writing/Requests.ts"
import { EditedSegment, type Replacement } from "./EditedSegment.ts"
import { noText, type Segment, segmentsOf } from "./Segments.ts"
import { applyEdit, type TextEdit } from "./TextEdits.ts"
import { findTexts, type WrittenTexts } from "./WrittenTexts.ts"

type Edits = ReadonlyArray<TextEdit>

const isDocument = Schema.is(Document)

const read = (document: unknown, edits: Edits = []) => {
  const { revisionId, ...content } = isDocument(document) ? document : {}
  const segments = segmentsOf(content)
  const parts = segments.map((segment) => new EditedSegment(segment))
  const unkept = edits.reduce<UnkeptReason | undefined>((known, edit) => known ?? applyEdit(parts, edit), undefined)
  return { revisionId, segments, parts, unkept }
}

/** The parts of a plan that take long for a long document. They take documents and JSON, and return JSON. */
export const textPlans = {
  /** Returns no changes if the effect of the edits is not known. */
  planned: ({ edits }: { readonly edits: Edits }, [document]: ReadonlyArray<unknown>) => {
    const { parts, revisionId, unkept } = read(document, edits)
    if (unkept !== undefined) return { revisionId, unkept }
    return {
      revisionId,
      changes: parts.flatMap(({ before, replacements }) => replacements.map((each) => changeOf(before, each))),
      unkept: parts.every(({ hasInverse }) => hasInverse) ? undefined : "no_inverse" as const
    }
  },

  /** Returns nothing if another edit came between, or if the edits did not go as planned. */
  changed: ({ edits }: { readonly edits: Edits }, [before, now]: ReadonlyArray<unknown>) => {
    const { parts } = read(before, edits)
    const { revisionId, segments } = read(now)
    const written = segments.map(({ lines, segmentId, tabId }, nth): WrittenTexts => ({
      tabId,
      segmentId,
      paragraphs: lines.map(({ hash, start }) => ({ hash: hash(), start })),
      texts: parts[nth]?.replacements ?? []
    })).filter(({ texts }) => texts.length > 0)
    return { revisionId, written: parts.every((part, nth) => part.isLeftIn(segments[nth])) ? written : undefined }
  },

  undone: ({ written }: { readonly written: ReadonlyArray<WrittenTexts> }, [now]: ReadonlyArray<unknown>) => {
    const { revisionId, segments } = read(now)
    const texts = findTexts(segments, written)
    const lost = texts.filter(({ index }) => index === undefined)
    const found = texts.flatMap(({ index, ...text }) => index === undefined ? [] : [{ ...text, index, from: index }])
    return {
      revisionId,
      changes: found.map((each) => changeOf(each, each)),
      conflicts: lost.map(({ inserted, removed, tabId }) => ({ tab: tabId, index: 0, removed, inserted })),
      // From the end, so that indexes stay.
      requests: found.toSorted((one, other) => other.index - one.index).flatMap(
        ({ index, inserted, removed, segmentId, tabId }): ReadonlyArray<Request> => {
          const scope = { ...segmentId === "" ? {} : { segmentId }, tabId }
          const range = { ...scope, startIndex: index, endIndex: index + removed.length }
          return [
            ...removed === "" ? [] : [{ deleteContentRange: { range } }],
            ...inserted === "" ? [] : [{ insertText: { location: { ...scope, index }, text: inserted } }]
          ]
        }
      )
    }
  }
}

/** @param segment before the change */
const changeOf = (
  { tabId, text }: Pick<Segment, "tabId" | "text">,
  { from, index, inserted, removed }: Replacement
): TextChange => {
  const end = from + removed.length
  // The ends may be half of a character.
  const around = (from: number, to: number) =>
    text.slice(Math.max(0, from), to).replaceAll(noText, " ").replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "")
  const context = { before: around(from - maxContext, from), after: around(end, end + maxContext) }
  return { tab: tabId, index, removed, inserted, context }
}
