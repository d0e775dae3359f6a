import type { Effect, Exit, Option, Scope } from "effect"
import type { Reader } from "../../Api/ApiError.ts"
import type {
  CallError,
  InvalidHttp,
  InvalidInput,
  InvalidJson,
  PayloadTooLarge,
  RateLimited,
  RequestTimeout
} from "../../Api/Errors.ts"
import type { Credential } from "../../Auth/Credential.ts"
import type { Principal } from "../../Domain/Access/Principal.ts"
import type { ApprovalId, CallId, GrantId, KeyId } from "../../Domain/Ids.ts"
import type { Operation } from "../../Providers/Catalog/Operation.ts"
import type { Preview } from "../Undo/Preview.ts"

export interface ReceivedBody {
  readonly text: string
  readonly json: Exit.Exit<unknown, InvalidJson | InvalidInput>
}

export interface Plan extends Pick<Preview, "changes"> {
  /** Of `WritePlan`. */
  readonly pin: ((body: unknown) => unknown) | undefined
}

export interface IncomingCall {
  readonly id: CallId
  readonly credential: Credential | undefined
  readonly idempotencyKey: string | undefined
  readonly address: () => Option.Option<string>
  readonly body: (
    hold: (bytes: number) => Effect.Effect<void, RateLimited>
  ) => Effect.Effect<Uint8Array | ReceivedBody, PayloadTooLarge | RequestTimeout | InvalidHttp | RateLimited>
  /** `Prefer` and `Priority` of the request: how long the call may wait for a quota, and before which others. */
  readonly prefer?: string | undefined
  readonly priority?: string | undefined
  /** In characters of the data. A longer table is kept. */
  readonly longest?: number
  /** The call to undo. The body is not read. */
  readonly undoOf?: string
  /** Whether the undo is a preview, which writes nothing. */
  readonly previewsUndo?: boolean
  /** An approval whose call is sent, as the key or grant that has asked. */
  readonly approved?: { readonly id: ApprovalId; readonly holderId: KeyId | GrantId; readonly plan?: Plan }
  /** Called with what the preview of an approved call has found. */
  readonly planned?: (plan: Plan) => void
  /** Is told until when the call can be undone. */
  readonly undoable?: (until: Date) => void
  /** By default a program. */
  readonly reader?: Reader
  readonly refuse?: (operation: Operation, principal: Principal) => CallError | undefined
  /** A scope that closes when the response was sent or the caller has disconnected. */
  readonly sent: () => Scope.Scope
}
