import { Data, type Effect, type Exit } from "effect"
import type { CallError } from "../Api/Errors.ts"
import type { Change } from "../Domain/Calls/Change.ts"
import type { TablePart } from "../Domain/Calls/TablePart.ts"
import type { CallId, ConnectionId } from "../Domain/Ids.ts"
import type { JsonText } from "../Domain/Json/JsonText.ts"
import type { CallResponse } from "./Response/CallResponse.ts"

/** The response of an earlier call. It is returned again, and not logged again. */
export class StoredResponse extends Data.Class<{
  readonly callId: CallId
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: string
  /** The connection of the first call. `null` if it is not known any more. */
  readonly connectionId: ConnectionId | null
}> {}

/** What a write would change. */
export interface Plan {
  readonly changes: ReadonlyArray<Change>
  /** Copied from `WritePlan`. */
  readonly pin: ((body: unknown) => unknown) | undefined
}

/** What the steps of a call have found out, for the caller and the log. */
export interface CallFacts {
  /** Whether the data came from the cache or from an identical read. */
  readonly cached?: boolean
  /** Stores the data in the cache, while the call is logged. Without it, other calls share the data. */
  readonly store?: Effect.Effect<void> | undefined
  /** What the provider sent, where the caller gets a part or another form of it. */
  readonly whole?: JsonText
  /** Set if rows of a table are missing: how many, and how to get them. */
  readonly page?: TablePart | undefined
  readonly plan?: Plan
  readonly undoableUntil?: Date
}

export interface StepResult {
  readonly data: JsonText | StoredResponse
  readonly facts: CallFacts
}

export interface CallResult {
  readonly response: CallResponse | StoredResponse
  readonly facts: CallFacts
}

/** Runs after the call is logged. Never fails. */
export type OnLogged = (exit: Exit.Exit<CallResult, CallError>, connection: ConnectionId | null) => Effect.Effect<void>
