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
  /** Every change, not truncated. */
  readonly changes: ReadonlyArray<Change>
  /** Why the writes cannot be undone by any caller. */
  readonly unkept: UnkeptReason | undefined
  readonly pin: WritePlan["pin"]
}

/** A note of a call: whether the service keeps what it changes, so that it can be undone. */
export const KeepsChanges = Context.Reference("openaccounts/Calls/Request/KeepsChanges", { defaultValue: () => false })
