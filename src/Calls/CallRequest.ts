import { Effect, Exit, Predicate, Result } from "effect"
import { CallRequest, IdempotencyKey, targetIssues } from "../Api/CallApi.ts"
import { InvalidInput, InvalidJson } from "../Api/Errors.ts"
import type { Issue } from "../Domain/Issue.ts"
import { exceededBound } from "../Domain/JsonBounds.ts"
import { validator } from "../Domain/Validation.ts"

const utf8 = new TextDecoder("utf-8", { fatal: true })
const lenientUtf8 = new TextDecoder()

/** Ignores a byte-order mark. Bytes that are not UTF-8 are not JSON. */
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

export interface ReceivedBody {
  /** For the log. */
  readonly text: string
  readonly json: Exit.Exit<unknown, InvalidJson | InvalidInput>
  /** In bytes, or in characters of `text`. */
  readonly length: number
}

export const receivedBody = (bytes: Uint8Array): ReceivedBody => {
  const parsed = parseJson(bytes)
  const { length } = bytes
  return Exit.isSuccess(parsed)
    ? { text: parsed.value.text, json: Exit.succeed(parsed.value.json), length }
    : { text: JSON.stringify(lenientUtf8.decode(bytes)), json: parsed, length }
}

const validate = validator(CallRequest)
const validateIdempotencyKey = validator(IdempotencyKey, ["headers", "idempotency-key"])

export const parseCallRequest = (
  json: unknown,
  idempotencyKey: string | undefined
): Effect.Effect<CallRequest, InvalidInput> => {
  const request = validate(json)
  const details = [
    ...Result.isFailure(request) ? request.failure : [],
    ...Predicate.isObject(json) ? targetIssues(json) : [],
    ...idempotencyKey === undefined ? [] : issuesOfKey(idempotencyKey)
  ]
  return Result.isSuccess(request) && details.length === 0
    ? Effect.succeed(request.success)
    : Effect.fail(InvalidInput.ofCall(details))
}

const issuesOfKey = (key: string): ReadonlyArray<Issue> =>
  Result.match(validateIdempotencyKey(key), { onSuccess: () => [], onFailure: (issues) => issues })
