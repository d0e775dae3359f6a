import { assert } from "@effect/vitest"
import { Schema } from "effect"
import { ErrorCheck } from "../../src/Api/Errors/ErrorCheck.ts"
import { CallId } from "../../src/Domain/Ids.ts"
import { Issue } from "../../src/Domain/Validation/Issue.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: unknown
  readonly callId: string
}

const ErrorAnswer = Schema.Struct({
  call_id: CallId,
  error: Schema.Struct({
    code: Schema.String,
    message: Schema.String.check(Schema.isEndingWith(".")),
    details: Schema.optionalKey(Schema.Json),
    check: Schema.optionalKey(ErrorCheck)
  })
})

/** Asserts that the body has the form of section 7 of the specification. */
export const errorIn = ({ headers, text }: Pick<Answer, "headers" | "text">) => {
  const json: unknown = JSON.parse(text)
  const answer = Schema.decodeUnknownSync(ErrorAnswer)(json)
  assert.strictEqual(JSON.stringify(answer), JSON.stringify(json))
  assert.strictEqual(headers.get("x-call-id"), answer.call_id)
  assert.match(headers.get("content-type") ?? "", /^application\/json/)
  return answer.error
}

export const assertError = (
  answer: Pick<Answer, "headers" | "status" | "text">,
  status: number,
  code: string,
  details?: unknown
): void => {
  assert.strictEqual(answer.status, status, answer.text)
  const error = errorIn(answer)
  assert.strictEqual(error.code, code)
  assertDetails(error, details)
}

/** The details of a missing connection have tests of their own. */
export const assertDetails = (error: { readonly code: string; readonly details?: unknown }, details: unknown): void => {
  if (details === undefined && /^connection_(not_found|inactive)$/.test(error.code)) return
  assert.deepStrictEqual(error.details, details)
}

export const assertLimited = (answer: Answer, limitedBy: string): number => {
  const seconds = Number(answer.headers.get("retry-after"))
  assert.isAbove(seconds, 0)
  assertError(answer, 429, "rate_limited", { limited_by: limitedBy, retry_after_seconds: seconds })
  return seconds
}

const decodeIssues = Schema.decodeUnknownSync(Schema.Array(Issue), { onExcessProperty: "error" })

export const issuesIn = (answer: Answer): ReadonlyArray<Issue> => {
  const { details } = errorIn(answer)
  assertError(answer, 400, "invalid_input", details)
  const issues = decodeIssues(details)
  assert.strictEqual(JSON.stringify(issues), JSON.stringify(details))
  for (const { message } of issues) assert.notStrictEqual(message, "")
  return issues
}

export const issuePaths = (answer: Answer): ReadonlyArray<string> => issuesIn(answer).map(({ path }) => path.join("."))

export const withoutIds = ({ callId, headers, status, text }: Answer) => ({
  status,
  body: text.replaceAll(callId, "call_<id>"),
  headers: [...headers].filter(([name]) => name !== "date" && name !== "x-call-id")
})

export const bodyOf = ({ json }: Pick<Answer, "json">): Record<string, unknown> => Object(json)

export const detailsOf = (answer: Pick<Answer, "json">): Record<string, unknown> =>
  Object(Object(bodyOf(answer).error).details)
