import { Effect, Option, Schema } from "effect"
import type { JsonText } from "../../../Domain/Json/JsonText.ts"
import type { ProviderCalls, Writing } from "../../Provider.ts"
import type { EditedFile, Kept, WritePlan } from "../../Writing.ts"
import { readDocument } from "../DocumentCalls.ts"
import { textQuery } from "../DocumentQueries.ts"
import { isLossy } from "./LossyEdits.ts"
import { paragraphsOf, type StyledDocument } from "./Paragraphs.ts"
import { changedRegions, textOfRegion } from "./Regions.ts"
import { decodeTextEdits, type EditedTexts, editTexts } from "./TextEdits.ts"
import { noText, textsOf } from "./Texts.ts"
import { type KeptTexts, readStyled, undoDocuments } from "./UndoDocuments.ts"

const unknownPlan: WritePlan = { changes: [], keep: undefined }

/** In characters of all paragraphs. A longer document is not kept. */
const maxKept = 1_000_000

const planEdits = Effect.fnUntraced(function*({ edits, file }: EditedFile, provider: ProviderCalls) {
  const textEdits = decodeTextEdits(edits)
  if (textEdits === undefined) return unknownPlan
  const document = yield* readDocument(provider, file, textQuery)
  const texts = textsOf(document)
  const edited = editTexts(texts, textEdits)
  if (edited === undefined) return unknownPlan
  const { changes } = edited
  const isShort = texts.reduce((sum, { text }) => sum + text.length, 0) <= maxKept
  const losesOther = changes.some(({ removed }) => removed.includes(noText))
  if (!isShort || losesOther) return { changes, keep: undefined }
  const before = yield* readStyled(provider, file)
  if (isLossy(texts, paragraphsOf(before), textEdits)) return { changes, keep: undefined }
  return {
    changes,
    keep: Effect.fnUntraced(function*(response: JsonText) {
      const after = yield* readStyled(provider, file)
      return isAsEdited(edited, after) ? keptTexts(file, before, after, response) : undefined
    })
  }
})

/** Otherwise another edit came between the reads and the write. */
const isAsEdited = ({ texts }: EditedTexts, after: StyledDocument): boolean => {
  const segments = Map.groupBy(paragraphsOf(after), ({ segmentId, tabId }) => `${tabId}/${segmentId}`)
  return texts.every(({ segmentId, tabId, text }) =>
    plain(text) === plain(textOfRegion(segments.get(`${tabId}/${segmentId}`) ?? []))
  )
}

const plain = (text: string): string => text.replaceAll(noText, "")

const keptTexts = (
  file: string,
  before: StyledDocument,
  after: StyledDocument,
  response: JsonText
): Kept | undefined => {
  // Another edit came between the write and this read.
  const left = Option.getOrUndefined(decodeRevision(response.value))?.writeControl?.requiredRevisionId
  if (left !== undefined && left !== after.revisionId) return undefined
  const regions = changedRegions(paragraphsOf(before), paragraphsOf(after))
  if (regions === undefined) return undefined
  const kept: KeptTexts = { file, regions }
  return [kept]
}

const decodeRevision = Schema.decodeUnknownOption(Schema.Struct({
  writeControl: Schema.optionalKey(Schema.Struct({ requiredRevisionId: Schema.optionalKey(Schema.String) }))
}))

export const docsWriting: Writing = {
  plan: (touched, provider) => touched._tag === "Edits" ? planEdits(touched, provider) : Effect.succeed(unknownPlan),
  undo: undoDocuments
}
