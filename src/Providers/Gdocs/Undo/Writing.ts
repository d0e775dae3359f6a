import { Effect, Option, Predicate, Schema } from "effect"
import type { InvalidInput, ToolCallError } from "../../../Api/Errors.ts"
import type { JsonText } from "../../../Domain/Json/JsonText.ts"
import type { ProviderCalls, Writing } from "../../Provider.ts"
import { type EditedFile, type Kept, unknownPlan, type WritePlan } from "../../Writing.ts"
import { readDocument } from "../DocumentCalls.ts"
import { tabsQuery, textQuery } from "../DocumentQueries.ts"
import type { Document } from "../Responses.ts"
import { isLossy } from "./LossyEdits.ts"
import { paragraphsOf, type StyledDocument } from "./Paragraphs.ts"
import { changedRegions, textOfRegion } from "./Regions.ts"
import { decodeTextEdits, type EditedTexts, editTexts } from "./TextEdits.ts"
import { noText, textsOf } from "./Texts.ts"
import { type KeptTexts, readStyled, undoDocuments } from "./UndoDocuments.ts"

/** In characters of all paragraphs. A longer document is not kept. */
const maxKept = 1_000_000

const planEdits = Effect.fnUntraced(function*(
  { edits, file, revision }: EditedFile,
  provider: ProviderCalls
): Effect.fn.Return<WritePlan, ToolCallError | InvalidInput> {
  const textEdits = revision?.targetRevisionId === undefined ? decodeTextEdits(edits) : undefined
  if (textEdits === undefined) {
    const read = Effect.suspend(() => readDocument(provider, file, tabsQuery))
    return { ...unknownPlan(), pin: Effect.map(read, pinTo(revision)) }
  }
  const document = yield* readDocument(provider, file, textQuery)
  const pin = Effect.succeed(pinTo(revision)(document))
  const texts = textsOf(document)
  const edited = editTexts(texts, textEdits)
  if (edited === undefined) return { ...unknownPlan(), pin }
  // Edits of styles alone are shown as the request.
  const onlyTexts = textEdits.every((edit) =>
    "insertText" in edit || "deleteContentRange" in edit || "replaceAllText" in edit
  )
  const changes = edited.changes.length > 0 || onlyTexts ? edited.changes : undefined
  const known = { changes, pin }
  if (texts.reduce((sum, { text }) => sum + text.length, 0) > maxKept) return { ...known, keep: "too_large" }
  if (edited.changes.some(({ removed }) => removed.includes(noText))) return { ...known, keep: "no_inverse" }
  const before = yield* readStyled(provider, file)
  if (isLossy(texts, paragraphsOf(before), textEdits)) return { ...known, keep: "no_inverse" }
  return {
    ...known,
    keep: Effect.fnUntraced(function*(response: JsonText) {
      const after = yield* readStyled(provider, file)
      return isAsEdited(edited, after) ? keptTexts(file, before, after, response) : undefined
    })
  }
})

/** A request of a tool is pinned to the revision at the time of the plan, not to that of its own read. */
const pinTo = (revision: EditedFile["revision"]) => ({ revisionId }: Document) => (body: unknown): unknown =>
  revisionId === undefined || revision?.targetRevisionId !== undefined || !Predicate.isObject(body)
    ? body
    : { ...body, writeControl: { requiredRevisionId: revisionId, ...revision } }

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
  plan: (touched, provider) => touched._tag === "Edits" ? planEdits(touched, provider) : Effect.succeed(unknownPlan()),
  undo: undoDocuments
}
