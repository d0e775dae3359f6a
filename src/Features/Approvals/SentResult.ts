import type { CallError } from "../../Api/Errors.ts"
import { OutcomeUnknown } from "../../Api/Errors/WriteErrors.ts"
import { type CallResult, StoredResponse } from "../../Calls/CallResult.ts"
import type { CallId } from "../../Domain/Ids.ts"
import type { ApprovalStale } from "./Contract.ts"
import type { WriteResult } from "./StoredApproval.ts"

export interface SentResult extends WriteResult {
  readonly callId: CallId
}

export const resultOfStored = ({ body, callId, retryAfter, status }: StoredResponse): SentResult => ({
  callId,
  status,
  retryAfter: retryAfter ?? null,
  body
})

export const resultOfResponse = (callId: CallId, response: CallResult["response"]): SentResult =>
  response instanceof StoredResponse
    ? resultOfStored(response)
    : { callId, status: 200, retryAfter: null, body: response.text }

export const resultOfError = (callId: CallId, error: CallError | ApprovalStale): SentResult => ({
  callId,
  status: error.status,
  retryAfter: error.retryAfter ?? null,
  body: JSON.stringify(error.body(callId))
})

export const unknownResult = (callId: CallId, call_id: CallId): SentResult =>
  resultOfError(callId, new OutcomeUnknown({ message: mayBeSent, details: { call_id } }))

const mayBeSent = "The service stopped while it sent the write, which may have been carried out: " +
  "look at the provider before you write again."
