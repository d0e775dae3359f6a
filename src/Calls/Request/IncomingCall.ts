import type { Effect, Exit, Scope } from "effect"
import type { Reader } from "../../Api/ApiError.ts"
import type { CallRequest } from "../../Api/Calls/CallApi.ts"
import type { CallError, InvalidInput, RateLimited } from "../../Api/Errors.ts"
import type { InvalidHttp, InvalidJson, PayloadTooLarge, RequestTimeout } from "../../Api/Errors/RequestErrors.ts"
import type { Credential } from "../../Auth/Credential.ts"
import type { Principal } from "../../Domain/Access/Principal.ts"
import type { BulkCallId, CallId, HolderId } from "../../Domain/Ids.ts"
import type { Operation } from "../../Providers/Catalog/Operation.ts"
import type { Plan } from "../CallResult.ts"
import type { RunnableCall } from "./RunnableCall.ts"

export interface ReceivedBody {
  readonly text: string
  readonly json: Exit.Exit<unknown, InvalidJson | InvalidInput>
}

export interface CallHeaders {
  readonly idempotencyKey?: string | undefined
  /** The header `Prefer`: how long the call may wait for a quota. */
  readonly prefer?: string | undefined
  /** The header `Priority`: urgent calls get a quota first. */
  readonly priority?: string | undefined
}

/** The request that undoes a call. */
export interface MadeRequest {
  readonly request: CallRequest
  readonly prepared: RunnableCall
  readonly undoOf: CallId
}

/** The origin of a call that the service makes itself. */
export interface Origin {
  /** The key, grant or session that asked for the call earlier. Its current rights apply. */
  readonly holderId?: HolderId
  readonly bulkCallId?: BulkCallId
  /** A person decides about the call. */
  readonly approval?: {
    /** What the person has seen. */
    readonly plan?: Plan | undefined
    /** Whether the call only finds the changes to show. It is logged only if it fails. */
    readonly isPlan: boolean
  }
  /** The call to undo. A preview writes nothing. The body is only logged. */
  readonly undo?: { readonly callId: string; readonly isPreview: boolean }
}

/** How to answer an agent. */
export interface Door {
  readonly reader: Reader
  /** The longest data in characters. A longer table is kept. */
  readonly longest: number
  readonly refuse: (operation: Operation, principal: Principal) => CallError | undefined
}

export interface IncomingCall {
  readonly id: CallId
  readonly credential: Credential | undefined
  readonly headers: CallHeaders
  readonly body: (
    hold: (bytes: number) => Effect.Effect<void, RateLimited>
  ) => Effect.Effect<Uint8Array | ReceivedBody, PayloadTooLarge | RequestTimeout | InvalidHttp | RateLimited>
  readonly origin?: Origin
  readonly door?: Door
  /** A scope that closes when the response was sent or the caller has disconnected. */
  readonly sent: () => Scope.Scope
}
