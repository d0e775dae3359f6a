import { Context, Effect, Predicate } from "effect"
import { InvalidInput, type ToolCallError } from "../../Api/Errors.ts"
import type { StoredSubject } from "../../Calls/DataAccess.ts"
import type { CallStep, PermittedCall } from "../../Calls/Steps.ts"
import { parseLongNumbers } from "../../Domain/Json/LostNumbers.ts"
import type { Issue } from "../../Domain/Validation/Issue.ts"
import { lostDigits } from "../../Domain/Validation/LostDigits.ts"
import type { Send, Sender, SendStep } from "../../Providers/Sending/SendSteps.ts"
import { previewOf } from "../Preview/Preview.ts"
import { makeAskFirst } from "./AskFirst.ts"
import { describeResource } from "./DescribeResource.ts"
import { waitingCall } from "./StoredCall.ts"

/** Makes a write fail whose document has changed since a person saw it. */
class Pin extends Context.Service<Pin, (body: unknown) => unknown>()("openaccounts/Features/Approvals/Pin") {}

/** Asks a person before a write, or sends what a person has approved. */
export const approvalsStep = Effect.map(makeAskFirst, (askFirst): CallStep => {
  const ask = (call: PermittedCall) => {
    const { access, connection, operation, prepared, principal, request, sends, undoOf } = call
    const { provider, target } = operation
    const question = {
      principal,
      provider: provider.id,
      target,
      connectionId: connection.id,
      call: undoOf === undefined ? waitingCall(request, connection.id) : { undo_of: undoOf }
    }
    const shown = Effect.gen(function*() {
      const { changes } = yield* previewOf(call)
      const about = yield* describeResource(provider, prepared.resource, sends.limit(sends.read), access)
      return { ...about, changes, subject: storedSubject(call) }
    })
    return Effect.map(askFirst(question, shown), (data) => ({ data, facts: {} }))
  }

  return {
    name: "approvals",
    of: "writes",
    at: "permitted",
    wrap: (next) => (call) => {
      const approval = call.incoming.origin?.approval
      if (approval === undefined && call.principal.writes === "ask") {
        const issues = issuesOfDigits(call)
        return issues.length === 0 ? ask(call) : Effect.fail(InvalidInput.ofCall(issues))
      }
      const pin = approval?.plan?.pin
      return next(pin === undefined ? call : { ...call, notes: Context.add(call.notes, Pin, pin) })
    }
  }
})

export const approvalsSend: SendStep = {
  name: "approvals",
  of: "writes",
  wrap: <E extends ToolCallError>({ notes }: Sender<E>, next: Send<E>): Send<E> => {
    const pin = Context.getOrUndefined(notes, Pin)
    return pin === undefined ? next : (request) => {
      const { endpoint, input } = request
      return next(endpoint.writes ? { ...request, input: { ...input, body: pin(input.body) } } : request)
    }
  }
}

/** Numbers that a person would be shown rounded. */
const issuesOfDigits = ({ context }: PermittedCall): ReadonlyArray<Issue> => {
  const exact = parseLongNumbers(context.body ?? "")
  return Predicate.hasProperty(exact, "input") ? lostDigits({ input: exact.input }) : []
}

/** The resources that the input names: a caller sees the input while it may see these. */
const storedSubject = ({ operation, prepared: { resource, subject }, undoOf }: PermittedCall): StoredSubject => {
  if (undoOf !== undefined) {
    return { names: resource === null ? [] : [resource.slice(operation.provider.id.length + 1)], urls: [] }
  }
  const { creates, names, urls } = subject()
  return { names, urls, ...creates === undefined ? {} : { creates } }
}
