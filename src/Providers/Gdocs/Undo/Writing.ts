import { Effect, Option, Predicate, Schema } from "effect"
import type { InvalidInput, ToolCallError } from "../../../Api/Errors.ts"
import type { JsonText } from "../../../Domain/Json/JsonText.ts"
import { documentUrl } from "../../Google/FileReference.ts"
import type { ProviderCalls, Writing } from "../../Provider.ts"
import { type EditedFile, type Kept, unknownPlan, type WritePlan } from "../../Writing.ts"
import { readDocument } from "../DocumentCalls.ts"
import { tabsQuery, textQuery } from "../DocumentQueries.ts"
import type { Document } from "../Responses.ts"
import { planTexts, readStyled } from "../StyledDocuments.ts"
import { decodeTextEdits, editTexts } from "./TextEdits.ts"
import { noText, textsOf } from "./Texts.ts"
import { undoDocuments } from "./UndoDocuments.ts"

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
  const { before, lossy } = yield* readStyled(
    provider,
    file,
    (before) =>
      Effect.map(planTexts("lossy", { texts, edits: textEdits }, [before]), (lossy) => lossy && { before, lossy })
  )
  if (lossy.isLossy) return { ...known, keep: "no_inverse" }
  return {
    ...known,
    keep: Effect.fnUntraced(function*(response: JsonText): Effect.fn.Return<
      Kept | undefined,
      ToolCallError | InvalidInput
    > {
      const { requiredRevisionId } = Option.getOrUndefined(decodeRevision(response.value))?.writeControl ?? {}
      const left = requiredRevisionId === undefined ? {} : { revision: requiredRevisionId }
      const { regions } = yield* readStyled(
        provider,
        file,
        (after) => planTexts("changed", { texts: edited.texts, ...left }, [before, after])
      )
      return regions === undefined ? undefined : [{ file, regions }]
    })
  }
})

/** A request of a tool is pinned to the revision at the time of the plan, not to that of its own read. */
const pinTo = (revision: EditedFile["revision"]) => ({ revisionId }: Document) => (body: unknown): unknown =>
  revisionId === undefined || revision?.targetRevisionId !== undefined || !Predicate.isObject(body)
    ? body
    : { ...body, writeControl: { requiredRevisionId: revisionId, ...revision } }

const decodeRevision = Schema.decodeUnknownOption(Schema.Struct({
  writeControl: Schema.optionalKey(Schema.Struct({ requiredRevisionId: Schema.optionalKey(Schema.String) }))
}))

export const docsWriting: Writing = {
  plan: (touched, provider) => touched._tag === "Edits" ? planEdits(touched, provider) : Effect.succeed(unknownPlan()),
  undo: undoDocuments,
  versionHistory: documentUrl
}
