import { Effect, Exit, Predicate, Result } from "effect"
import { CallRequest, stepFields, targetIssues } from "../../Api/Calls/CallApi.ts"
import { type CallError, InvalidInput } from "../../Api/Errors.ts"
import { InvalidJson } from "../../Api/Errors/RequestErrors.ts"
import { UndoUnavailable } from "../../Api/Errors/WriteErrors.ts"
import type { Share } from "../../Capacity/Capacity.ts"
import type { Principal } from "../../Domain/Access/Principal.ts"
import { exceededBound } from "../../Domain/Json/JsonSyntax.ts"
import type { Issue } from "../../Domain/Validation/Issue.ts"
import { isUnknownField } from "../../Domain/Validation/UnknownField.ts"
import { validator } from "../../Domain/Validation/Validation.ts"
import { type CallStep, fieldsOf } from "../Steps.ts"
import type { IncomingCall, MadeRequest, ReceivedBody } from "./IncomingCall.ts"

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
export const receiveBody = Effect.fnUntraced(function* receiveBody({ body }: IncomingCall, share: Share) {
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

/** Lists every issue: those of the body, and those that the steps find. */
export const makeParseRequest = (steps: ReadonlyArray<CallStep>) => {
  const served = fieldsOf(steps)
  const unserved = stepFields.filter((field) => !served.has(field))
  const issuesOfSteps = steps.flatMap(({ issues }) => issues ?? [])

  const unservedIn = (request: object): ReadonlyArray<Issue> =>
    unserved.filter((field) => Object.hasOwn(request, field)).map((field) => ({ path: [field], message: notServed }))

  const parse = (json: unknown, incoming: IncomingCall): Effect.Effect<CallRequest, InvalidInput> => {
    const request = validate(json)
    const known = [
      ...Result.isFailure(request) ? request.failure.map(besideFields) : [],
      ...Predicate.isObject(json) ? [...targetIssues(json), ...unservedIn(json)] : []
    ]
    const toRequest = (details: ReadonlyArray<Issue>) =>
      Result.isSuccess(request) && details.length === 0
        ? Effect.succeed(request.success)
        : Effect.fail(InvalidInput.ofCall(details))
    const fromSteps = issuesOfSteps.flatMap((issues) => issues(json, incoming) ?? [])
    return fromSteps.length === 0
      ? toRequest(known)
      : Effect.flatMap(Effect.all(fromSteps), (issues) => toRequest([...known, ...issues.flat()]))
  }

  const { undo } = steps.find((step) => step.undo !== undefined) ?? {}

  /** Returns the request of the body, or the one that undoes a call. */
  return (
    json: unknown,
    incoming: IncomingCall,
    principal: Principal
  ): Effect.Effect<Partial<MadeRequest> & Pick<MadeRequest, "request">, CallError> => {
    const undone = incoming.origin?.undo
    if (undone === undefined) return Effect.map(parse(json, incoming), (request) => ({ request }))
    if (undo === undefined) {
      return Effect.fail(new UndoUnavailable({ message: noUndo, details: { reason: "not_kept" } }))
    }
    return Effect.flatMap(undo(principal, undone.callId, incoming.id), (made) => {
      if (!undone.isPreview) return Effect.succeed(made)
      const request = { ...made.request, dry_run: true }
      const issues = unservedIn(request)
      return issues.length === 0 ? Effect.succeed({ ...made, request }) : Effect.fail(InvalidInput.ofCall(issues))
    })
  }
}

const noUndo = "The call cannot be undone: this service undoes no calls."

const notServed = "This service does not offer it"

const besideFields = (issue: Issue): Issue =>
  issue.path.length === 1 && isUnknownField(issue)
    ? { ...issue, message: `${issue.message}; fields of the operation belong in \`input\`` }
    : issue
