import type { Schema } from "effect"
import { type ApiError, ApprovalRequired } from "../../../Api/Errors.ts"
import type { CallId } from "../../../Domain/Ids.ts"
import { compactJson, cutJson } from "./CutJson.ts"

/** In characters of each form. Usual clients refuse results above 50,000. */
export const maxLength = 48_000

/** In characters, of the data of a call. A longer table is kept. */
export const maxDataLength = maxLength - 1000

/** Usual clients cut longer errors. */
const maxErrorLength = 10_000

/** In characters. Longer results keep their white space until they are cut. */
const maxCompacted = 4_000_000

/** In characters, for the field `truncated`. */
const reserved = 800

export interface ToolResult {
  readonly json: string
  readonly isError: boolean
  readonly meta?: Readonly<Record<string, Schema.Json>>
  readonly replayOf?: CallId
  /** That the call waits for. */
  readonly approval?: WaitingApproval
  /** Whose page the client must show to its user. */
  readonly elicits?: WaitingApproval
}

export interface WaitingApproval {
  readonly id: string
  readonly url: string
  /** For the agent. */
  readonly message: string
}

export const toolResult = (
  json: string,
  askForLess: string,
  options: Omit<ToolResult, "json"> = { isError: false }
): ToolResult => ({ ...options, json: fit(json, askForLess, options.isError ? maxErrorLength : maxLength) })

export const valueResult = (value: object, askForLess: string): ToolResult =>
  toolResult(JSON.stringify(value), askForLess)

export const errorResult = (error: ApiError, callId: CallId): ToolResult =>
  toolResult(JSON.stringify(error.body(callId, "agent")), "The rest is in the call log.", {
    isError: true,
    ...approvalOf(error),
    ...error.retryAfter === undefined ? {} : { meta: { "openaccounts/retry-after": error.retryAfter } }
  })

const approvalOf = (error: ApiError): Pick<ToolResult, "approval"> => {
  if (!(error instanceof ApprovalRequired) || error.details === undefined) return {}
  const { approval_id: id, url } = error.details
  return { approval: { id, url, message: error.agentMessage ?? error.message } }
}

const fit = (json: string, askForLess: string, longest: number): string => {
  const compact = json.length <= maxCompacted ? compactJson(json) : json
  if (compact.length <= longest) return compact
  const note = `This result has ${compact.length} characters and is cut: lists and texts end early. ${askForLess}`
  const truncated = JSON.stringify({ truncated: { characters: compact.length, note } })
  const cut = compactJson(cutJson(compact, longest - Math.max(reserved, truncated.length)))
  return `${truncated.slice(0, -1)},${cut.slice(1)}`
}
