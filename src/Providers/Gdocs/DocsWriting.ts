import { Effect, Option, Predicate, Schema } from "effect"
import type { InvalidInput, ToolCallError } from "../../Api/Errors.ts"
import type { JsonText } from "../../Domain/Json/JsonText.ts"
import { documentUrl } from "../Google/FileReference.ts"
import type { ProviderCalls, Writing } from "../Provider.ts"
import { type EditedFile, type UndoData, type UndoPlan, unknownPlan, type WritePlan } from "../Writing.ts"
import { isLong } from "./DecodeDocument.ts"
import { batchUpdate, readDocument } from "./DocumentCalls.ts"
import { tabsQuery } from "./DocumentQueries.ts"
import { documentsGet } from "./Endpoints.ts"
import { invalidField } from "./InvalidField.ts"
import { BatchUpdateDocumentResponse } from "./Responses.ts"
import { decodeTextEdits } from "./Undo/TextEdits.ts"
import type { textPlans } from "./Undo/TextPlans.ts"
import { WrittenTexts } from "./Undo/WrittenTexts.ts"
import type { JobsOfDocuments } from "./Worker/Jobs.ts"
import { runApart, runHere } from "./Worker/WorkerPool.ts"

/** Reads a document with all styles, and plans with it. */
const readStyled = <Name extends keyof typeof textPlans>(
  provider: ProviderCalls,
  documentId: string,
  name: Name,
  input: JobsOfDocuments[Name]["input"],
  before: ReadonlyArray<JsonText> = []
): Effect.Effect<
  { readonly document: JsonText; readonly planned: JobsOfDocuments[Name]["output"] },
  ToolCallError | InvalidInput
> =>
  provider.callWith(documentsGet, {
    path: { documentId },
    query: { includeTabsContent: true, suggestionsViewMode: "SUGGESTIONS_INLINE" }
  }, (document) => {
    const documents = [...before, document]
    const planned = documents.some(isLong)
      ? Effect.catchTag(
        runApart(name, input, documents),
        "JobTooLong",
        () => Effect.fail(invalidField("document", "The document takes too long to compare."))
      )
      : runHere(name, input, documents)
    return Effect.map(planned, (planned) => Option.some({ document, planned }))
  })

const planEdits = Effect.fnUntraced(function*(
  { edits, file, revision }: EditedFile,
  provider: ProviderCalls
): Effect.fn.Return<WritePlan, ToolCallError | InvalidInput> {
  const textEdits = revision?.targetRevisionId === undefined ? decodeTextEdits(edits) : undefined
  if (textEdits === undefined) {
    const read = Effect.suspend(() => readDocument(provider, file, tabsQuery))
    return { ...unknownPlan(), pin: Effect.map(read, pinTo(revision)) }
  }
  const { document: before, planned } = yield* readStyled(provider, file, "planned", { edits: textEdits })
  const { changes, unkept } = planned
  const known = { changes, pin: Effect.succeed(pinTo(revision)(planned)) }
  if (unkept !== undefined) return { ...known, keep: unkept }
  return {
    ...known,
    keep: Effect.fnUntraced(function*(response: JsonText): Effect.fn.Return<
      UndoData | undefined,
      ToolCallError | InvalidInput
    > {
      const { requiredRevisionId } = Option.getOrUndefined(decodeResponse(response.value))?.writeControl ?? {}
      const { revisionId, written } =
        (yield* readStyled(provider, file, "changed", { edits: textEdits }, [before])).planned
      const isOther = requiredRevisionId !== undefined && requiredRevisionId !== revisionId
      return isOther || written === undefined ? undefined : [{ file, written }]
    })
  }
})

/** A request of a tool is pinned to the revision at the time of the plan, not to that of its own read. */
const pinTo =
  (revision: EditedFile["revision"]) =>
  ({ revisionId }: { readonly revisionId?: string | undefined }) =>
  (body: unknown): unknown =>
    revisionId === undefined || revision?.targetRevisionId !== undefined || !Predicate.isObject(body)
      ? body
      : { ...body, writeControl: { requiredRevisionId: revisionId, ...revision } }

const decodeResponse = Schema.decodeUnknownOption(BatchUpdateDocumentResponse)

/** Decodes what is kept of one write. */
const decodeUndoData = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ file: Schema.String, written: Schema.Array(WrittenTexts) })])
)

const undoDocument = Effect.fnUntraced(function*(
  kept: UndoData,
  provider: ProviderCalls
): Effect.fn.Return<UndoPlan, ToolCallError | InvalidInput> {
  const [{ file, written }] = yield* Effect.mapError(
    decodeUndoData(kept),
    () => invalidField("call_id", "An earlier version of the service has kept this write, in another form.")
  )
  const { planned } = yield* readStyled(provider, file, "undone", { written })
  const { changes, conflicts, requests, revisionId } = planned
  return {
    conflicts,
    changes,
    run: requests.length === 0 ? Effect.void : Effect.asVoid(batchUpdate(provider, file, requests, revisionId))
  }
})

export const docsWriting: Writing = {
  plan: (touched, provider) => touched._tag === "Edits" ? planEdits(touched, provider) : Effect.succeed(unknownPlan()),
  undo: undoDocument,
  versionHistory: documentUrl
}
