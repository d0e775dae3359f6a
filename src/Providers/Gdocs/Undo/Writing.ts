import { Effect } from "effect"
import type { ProviderCalls, Writing } from "../../Provider.ts"
import type { EditedFile, WritePlan } from "../../Writing.ts"
import { readDocument } from "../DocumentCalls.ts"
import { textQuery } from "../DocumentQueries.ts"
import { decodeTextEdits, textChanges } from "./TextEdits.ts"
import { textsOf } from "./Texts.ts"

const unknownPlan: WritePlan = { changes: [], keep: undefined }

const planEdits = Effect.fnUntraced(function*({ edits, file }: EditedFile, provider: ProviderCalls) {
  const textEdits = decodeTextEdits(edits)
  if (textEdits === undefined) return unknownPlan
  const document = yield* readDocument(provider, file, textQuery)
  const changes = textChanges(textsOf(document), textEdits)
  return changes === undefined ? unknownPlan : { changes, keep: undefined }
})

export const docsWriting: Writing = {
  plan: (touched, provider) => touched._tag === "Edits" ? planEdits(touched, provider) : Effect.succeed(unknownPlan),
  undo: () => Effect.succeed({ changes: [], conflicts: [], run: Effect.void })
}
