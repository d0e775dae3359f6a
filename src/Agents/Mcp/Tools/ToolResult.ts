import type { Schema } from "effect"
import type { ApiError } from "../../../Api/Errors.ts"
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
    ...error.retryAfter === undefined ? {} : { meta: { "openaccounts/retry-after": error.retryAfter } }
  })

const fit = (json: string, askForLess: string, longest: number): string => {
  const compact = json.length <= maxCompacted ? compactJson(json) : json
  if (compact.length <= longest) return compact
  const note = `This result has ${compact.length} characters and is cut: lists and texts end early. ${askForLess}`
  const truncated = JSON.stringify({ truncated: { characters: compact.length, note } })
  const cut = compactJson(cutJson(compact, longest - Math.max(reserved, truncated.length)))
  return `${truncated.slice(0, -1)},${cut.slice(1)}`
}
