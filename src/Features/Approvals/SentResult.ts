import type { CallError } from "../../Api/Errors.ts"
import { OutcomeUnknown } from "../../Api/Errors/WriteErrors.ts"
import { type CallResult, StoredResponse } from "../../Calls/Answered.ts"
import type { CallId } from "../../Domain/Ids.ts"
import type { ApprovalStale } from "./Contract.ts"
import type { Answer } from "./StoredApproval.ts"

/** What the call of an approval has got. */
export interface CallAnswer extends Answer {
  readonly callId: CallId
}

export const storedAnswer = ({ body, callId, retryAfter, status }: StoredResponse): CallAnswer => ({
  callId,
  status,
  retryAfter: retryAfter ?? null,
  body
})

export const responseAnswer = (callId: CallId, response: CallResult["response"]): CallAnswer =>
  response instanceof StoredResponse
    ? storedAnswer(response)
    : { callId, status: 200, retryAfter: null, body: response.text }

export const errorAnswer = (callId: CallId, error: CallError | ApprovalStale): CallAnswer => ({
  callId,
  status: error.status,
  retryAfter: error.retryAfter ?? null,
  body: JSON.stringify(error.body(callId))
})

export const unknownAnswer = (callId: CallId, call_id: CallId): CallAnswer =>
  errorAnswer(callId, new OutcomeUnknown({ message: mayBeSent, details: { call_id } }))

const mayBeSent = "The service stopped while it sent the write, which may have been carried out: " +
  "look at the provider before you write again."
