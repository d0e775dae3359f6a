import { Effect, Option, Predicate, Schema } from "effect"
import type { InvalidInput, ToolCallError } from "../../../Api/Errors.ts"
import type { JsonText } from "../../../Domain/Json/JsonText.ts"
import { documentUrl } from "../../Google/FileReference.ts"
import type { ProviderCalls, Writing } from "../../Provider.ts"
import { type EditedFile, type Kept, type UndoPlan, unknownPlan, type WritePlan } from "../../Writing.ts"
import { batchUpdate, readDocument } from "../DocumentCalls.ts"
import { tabsQuery } from "../DocumentQueries.ts"
import { decodeTextEdits } from "../Editing/TextEdits.ts"
import { invalidField } from "../InvalidField.ts"
import { readStyled } from "../StyledDocuments.ts"
import { KeptRegion } from "./Regions.ts"

const planEdits = Effect.fnUntraced(function*(
  { edits, file, revision }: EditedFile,
  provider: ProviderCalls
): Effect.fn.Return<WritePlan, ToolCallError | InvalidInput> {
  const textEdits = revision?.targetRevisionId === undefined ? decodeTextEdits(edits) : undefined
  if (textEdits === undefined) {
    const read = Effect.suspend(() => readDocument(provider, file, tabsQuery))
    return { ...unknownPlan(), pin: Effect.map(read, pinTo(revision)) }
  }
  const { document: before, planned } = yield* readStyled(provider, file, {
    name: "planned",
    input: { edits: textEdits }
  })
  const { changes, unkept } = planned
  const known = { changes, pin: Effect.succeed(pinTo(revision)(planned)) }
  if (unkept !== undefined) return { ...known, keep: unkept }
  return {
    ...known,
    keep: Effect.fnUntraced(function*(response: JsonText): Effect.fn.Return<
      Kept | undefined,
      ToolCallError | InvalidInput
    > {
      const { requiredRevisionId } = Option.getOrUndefined(decodeRevision(response.value))?.writeControl ?? {}
      const left = requiredRevisionId === undefined ? {} : { revision: requiredRevisionId }
      const input = { edits: textEdits, ...left }
      const { regions } = (yield* readStyled(provider, file, { name: "changed", input }, [before])).planned
      return regions === undefined ? undefined : [{ file, regions }]
    })
  }
})

/** A request of a tool is pinned to the revision at the time of the plan, not to that of its own read. */
const pinTo =
  (revision: EditedFile["revision"]) =>
  ({ revisionId }: { readonly revisionId?: string }) =>
  (body: unknown): unknown =>
    revisionId === undefined || revision?.targetRevisionId !== undefined || !Predicate.isObject(body)
      ? body
      : { ...body, writeControl: { requiredRevisionId: revisionId, ...revision } }

const decodeRevision = Schema.decodeUnknownOption(Schema.Struct({
  writeControl: Schema.optionalKey(Schema.Struct({ requiredRevisionId: Schema.optionalKey(Schema.String) }))
}))

/** Decodes what is kept of one write. */
const decodeKept = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ file: Schema.String, regions: Schema.Array(KeptRegion) })])
)

const undoDocument = Effect.fnUntraced(function*(
  kept: Kept,
  provider: ProviderCalls
): Effect.fn.Return<UndoPlan, ToolCallError | InvalidInput> {
  const [{ file, regions }] = yield* Effect.mapError(
    decodeKept(kept),
    () => invalidField("call_id", "An earlier version of the service has kept this write, in another form.")
  )
  const { planned } = yield* readStyled(provider, file, { name: "undone", input: { regions } })
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
