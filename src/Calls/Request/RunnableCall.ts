import { Context, type Effect } from "effect"
import type { CallError } from "../../Api/Errors.ts"
import type { Change } from "../../Domain/Calls/Change.ts"
import type { UnkeptReason } from "../../Domain/Calls/UndoReason.ts"
import type { JsonText } from "../../Domain/Json/JsonText.ts"
import type { PreparedOperation } from "../../Providers/Catalog/Operation.ts"
import type { Access, SendRequest } from "../../Providers/ProviderClient.ts"
import type { WritePlan } from "../../Providers/Writing.ts"

/** What the pipeline runs: an operation, or an undo. */
export interface RunnableCall extends Omit<PreparedOperation, "run"> {
  readonly run: (send: SendRequest, access: Access) => Effect.Effect<JsonText, CallError>
  /** What a preview shows. By default the call's own requests. */
  readonly preview?: (send: SendRequest, access: Access) => Effect.Effect<Preview, CallError>
}

export interface Preview {
  /** All of them, whole. */
  readonly changes: ReadonlyArray<Change>
  /** Why the writes cannot be undone by any caller. */
  readonly unkept: UnkeptReason | undefined
  readonly pin: WritePlan["pin"]
}

/** Among the notes of a call: whether what it writes is kept, so that it can be undone. */
export const KeepsChanges = Context.Reference("openaccounts/Calls/Request/KeepsChanges", { defaultValue: () => false })
