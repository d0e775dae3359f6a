import type { ApiError } from "../../../Api/Errors.ts"
import type { Question, ToolOutput } from "../../../Calls/AgentTools/AgentTools.ts"
import type { CallId } from "../../../Domain/Ids.ts"
import { compactJson, cutJson } from "./CutJson.ts"

/** The longest result in characters of each form. Usual clients refuse results above 50,000. */
export const maxLength = 48_000

/** The longest data of a call in characters. A longer table is kept. */
export const maxDataLength = maxLength - 1000

/** Usual clients cut longer errors. */
const maxErrorLength = 10_000

/** The longest result whose white space is removed, in characters. */
const maxCompacted = 4_000_000

/** Characters reserved for the field `truncated`. */
const reserved = 800

export interface ToolResult extends Omit<ToolOutput, "askForLess"> {
  readonly isError: boolean
  /** The question that the call waits for. */
  readonly question?: Question
  /** The question whose page the client must show to its user. */
  readonly elicits?: Question
}

export const toolResult = ({ askForLess, isError = false, json, ...answer }: ToolOutput): ToolResult => ({
  ...answer,
  isError,
  json: fit(json, askForLess, isError ? maxErrorLength : maxLength)
})

export const errorResult = (error: ApiError, callId: CallId, question: Question | undefined): ToolResult => ({
  ...toolResult({
    json: JSON.stringify(error.body(callId, "agent")),
    askForLess: "The rest is in the call log.",
    isError: true,
    ...error.retryAfter === undefined ? {} : { meta: { "openaccounts/retry-after": error.retryAfter } }
  }),
  ...question === undefined ? {} : { question }
})

const fit = (json: string, askForLess: string, longest: number): string => {
  const compact = json.length <= maxCompacted ? compactJson(json) : json
  if (compact.length <= longest) return compact
  const note = `This result has ${compact.length} characters and is cut: lists and texts end early. ${askForLess}`
  const truncated = JSON.stringify({ truncated: { characters: compact.length, note } })
  const cut = compactJson(cutJson(compact, longest - Math.max(reserved, truncated.length)))
  return `${truncated.slice(0, -1)},${cut.slice(1)}`
}
