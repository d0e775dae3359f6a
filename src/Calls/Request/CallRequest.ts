import { Effect, Exit, Predicate, Result, Schema } from "effect"
import { CallRequest, IdempotencyKey, targetIssues } from "../../Api/Calls/CallApi.ts"
import { InvalidInput, InvalidJson } from "../../Api/Errors.ts"
import type { Share } from "../../Capacity/Capacity.ts"
import { exceededBound } from "../../Domain/Json/JsonBounds.ts"
import type { Issue } from "../../Domain/Validation/Issue.ts"
import { isUnknownField } from "../../Domain/Validation/UnknownField.ts"
import { validator } from "../../Domain/Validation/Validation.ts"
import type { IncomingCall, ReceivedBody } from "./IncomingCall.ts"

const utf8 = new TextDecoder("utf-8", { fatal: true })
const lenientUtf8 = new TextDecoder()

export const parseJson = (
  bytes: Uint8Array
): Exit.Exit<{ readonly text: string; readonly json: unknown }, InvalidJson | InvalidInput> => {
  if (bytes.length === 0) return Exit.fail(new InvalidJson({ message: "The request has no body; it must be JSON." }))
  const message = exceededBound(bytes)
  if (message !== undefined) return Exit.fail(InvalidInput.ofCall([{ path: [], message }]))
  try {
    const text = utf8.decode(bytes)
    return Exit.succeed({ text, json: JSON.parse(text) })
  } catch {
    return Exit.fail(new InvalidJson())
  }
}

/**
 * Takes a turn once a small body is there, or before a longer one is read: half-sent small bodies hold no turns of their
 * member. Text that is not JSON is logged as a JSON string.
 */
export const receiveBody = Effect.fnUntraced(function*({ body }: IncomingCall, share: Share) {
  let hasTurn = false
  const takeTurn = Effect.suspend(() => {
    if (hasTurn) return Effect.void
    hasTurn = true
    return Effect.interruptible(share.takeTurn)
  })
  const sent = yield* body((length) => Effect.andThen(takeTurn, share.reserve("request", length)))
  yield* takeTurn
  return toReceived(sent)
})

const toReceived = (sent: Uint8Array | ReceivedBody): ReceivedBody => {
  if (!(sent instanceof Uint8Array)) return sent
  const parsed = parseJson(sent)
  return Exit.isSuccess(parsed)
    ? { text: parsed.value.text, json: Exit.succeed(parsed.value.json) }
    : { text: JSON.stringify(lenientUtf8.decode(sent)), json: parsed }
}

const validate = validator(CallRequest)
const validateIdempotencyKey = validator(IdempotencyKey, ["headers", "idempotency-key"])

export const parseCallRequest = (
  json: unknown,
  idempotencyKey: string | undefined
): Effect.Effect<CallRequest, InvalidInput> => {
  const request = validate(json)
  const known = [
    ...Result.isFailure(request) ? request.failure.map(besideFields) : [],
    ...Predicate.isObject(json) ? targetIssues(json) : [],
    ...idempotencyKey === undefined ? [] : issuesOfKey(idempotencyKey)
  ]
  const toRequest = (details: ReadonlyArray<Issue>) =>
    Result.isSuccess(request) && details.length === 0
      ? Effect.succeed(request.success)
      : Effect.fail(InvalidInput.ofCall(details))
  const select = selectIn(json)
  return select === undefined
    ? toRequest(known)
    : Effect.flatMap(issuesOfSelect(select), (issues) => toRequest([...known, ...issues]))
}

const isSelect = Schema.is(CallRequest.fields.select.schema)

const selectIn = (json: unknown): string | undefined =>
  Predicate.hasProperty(json, "select") && isSelect(json.select) ? json.select : undefined

const issuesOfSelect = Effect.fnUntraced(function*(expression: string): Effect.fn.Return<ReadonlyArray<Issue>> {
  // Loaded with the first expression.
  const { parseExpression } = yield* Effect.promise(() => import("../../Domain/Select/Expression.ts"))
  try {
    parseExpression(expression)
    return []
  } catch (error) {
    const message = `Expected JMESPath: ${error instanceof Error ? error.message : "too long"}`
    return [{ path: ["select"], message }]
  }
})

const besideFields = (issue: Issue): Issue =>
  issue.path.length === 1 && isUnknownField(issue)
    ? { ...issue, message: `${issue.message}; fields of the operation belong in \`input\`` }
    : issue

const issuesOfKey = (key: string): ReadonlyArray<Issue> =>
  Result.match(validateIdempotencyKey(key), { onSuccess: () => [], onFailure: (issues) => issues })
