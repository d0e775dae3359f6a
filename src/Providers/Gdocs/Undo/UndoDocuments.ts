import { Effect, Schema } from "effect"
import type { InvalidInput, ToolCallError } from "../../../Api/Errors.ts"
import type { ProviderCalls } from "../../Provider.ts"
import type { Kept, UndoPlan } from "../../Writing.ts"
import { batchUpdate } from "../DocumentCalls.ts"
import { planTexts, readStyled } from "../StyledDocuments.ts"
import { KeptRegion } from "./Regions.ts"

/** Batches of edits of a document. */
const KeptTexts = Schema.Array(Schema.Struct({ file: Schema.String, regions: Schema.Array(KeptRegion) }))

const decodeKept = Schema.decodeUnknownEffect(KeptTexts)

export const undoDocuments = Effect.fnUntraced(function*(
  kept: Kept,
  provider: ProviderCalls
): Effect.fn.Return<UndoPlan, ToolCallError | InvalidInput> {
  const [texts, ...others] = yield* Effect.orDie(decodeKept(kept))
  if (texts === undefined || others.length > 0) return yield* Effect.die("An undo of a document has one batch of edits")
  const { file, regions } = texts
  const { changes, conflicts, requests, revisionId } = yield* readStyled(
    provider,
    file,
    (now) => planTexts("undone", { regions }, [now])
  )
  return {
    conflicts,
    changes,
    run: requests.length === 0 ? Effect.void : Effect.asVoid(batchUpdate(provider, file, requests, revisionId))
  }
})
