import { Context, Effect, Layer, type Redacted } from "effect"
import { namesOf } from "../Api/Calls/CallApi.ts"
import { type CallError, Forbidden } from "../Api/Errors.ts"
import { Capacity } from "../Capacity/Capacity.ts"
import { RateLimit } from "../Capacity/RateLimit.ts"
import { SetupChecks } from "../Connections/SetupChecks.ts"
import { Catalog } from "../Providers/Catalog/Catalog.ts"
import type { CallContext } from "./CallContext.ts"
import { callerFor, makeCallProvider } from "./CallProvider.ts"
import { type CallResult, type StepResult, StoredResponse } from "./CallResult.ts"
import { makeCallsInFlight } from "./CallsInFlight.ts"
import { makeCompleteCall } from "./CompleteCall.ts"
import { makeParseRequest, receiveBody } from "./Request/CallRequest.ts"
import type { IncomingCall } from "./Request/IncomingCall.ts"
import { makeRights } from "./Rights.ts"
import {
  asksSteps,
  type CallStep,
  CallSteps,
  composeCalls,
  makeRefusal,
  type PermittedCall,
  plainSteps,
  type PreparedCall,
  type Run
} from "./Steps.ts"

const largeBodyCharacters = 1_000_000

const noApprovals = "Nothing was written: a person has to approve each write of this key or agent, and this service " +
  "has no approvals."

/** The pipeline of every call: the steps that are numbered below. */
export class Calls extends Context.Service<Calls, {
  /** Returns after the call is logged, also when it fails. A stored response is not logged again. */
  readonly call: (incoming: IncomingCall) => Effect.Effect<CallResult, CallError>
}>()("openaccounts/Calls/Calls") {
  static readonly layer = Layer.effect(
    Calls,
    Effect.gen(function*() {
      const capacity = yield* Capacity
      const catalog = yield* Catalog
      const inFlight = yield* makeCallsInFlight
      const completed = yield* makeCompleteCall(inFlight)
      const rateLimit = yield* RateLimit
      const rights = yield* makeRights
      const provider = yield* makeCallProvider(rights)
      const setupChecks = yield* SetupChecks
      const steps = yield* CallSteps

      const permit = Effect.fnUntraced(function* permitCall(
        call: PreparedCall
      ): Effect.fn.Return<PermittedCall, CallError> {
        // 7. Connection
        const { context, operation, principal, request } = call
        context.connection = yield* rights.choose(principal, operation, request.connection_id)
        const permitted = yield* rights.permit(call, context.connection)
        const caller = context.caller = callerFor(call, permitted)
        const onAsk = () => {
          context.hasAsked = true
        }
        const onEcho = (secret: Redacted.Redacted) => void (context.echoed ??= []).push(secret)
        const opened = yield* provider.open(call, permitted, { caller, onAsk, onEcho })
        yield* inFlight.betweenStages
        context.dryRun = request.dry_run === true
        return opened
      })

      const connect = (next: Run<PermittedCall>): Run<PreparedCall> => (call) =>
        Effect.flatMap(permit(call), (permitted) => {
          const { connection, operation: { provider } } = permitted
          return Effect.mapError(next(permitted), (error) => setupChecks.named(error, { provider, connection }))
        })

      // 8. Cache, else 9. Credentials and 10. Provider
      const write: Run<PermittedCall> = (call) => {
        // A step asks a person first, and sends what is approved.
        if (call.principal.writes === "ask" && call.incoming.origin?.approval === undefined) {
          return Effect.fail(new Forbidden({ message: noApprovals }))
        }
        call.context.mayHaveWritten = true
        return provider.write(call)
      }

      const through = (steps: ReadonlyArray<CallStep>) => ({
        parse: makeParseRequest(steps),
        refusesFound: makeRefusal(steps, "found"),
        refusesPrepared: makeRefusal(steps, "prepared"),
        read: composeCalls(steps, "reads", { connect, run: provider.read }),
        write: composeCalls(steps, "writes", { connect, run: write })
      })
      const asking = through(steps)
      const plain = through(plainSteps(steps))

      const runSteps = Effect.fnUntraced(function* runSteps(
        incoming: IncomingCall,
        context: CallContext
      ): Effect.fn.Return<StepResult, CallError> {
        // 1. Authentication, and the caller's limits
        const principal = context.principal = yield* rights.authenticate(incoming)
        yield* rateLimit.take(principal)
        const share = context.share = capacity.open(principal.memberId, context.scope)
        yield* inFlight.betweenStages

        // 2. Size and JSON, in a turn of the member
        const body = yield* receiveBody(incoming, share)
        context.body = body.text
        const json = yield* body.json
        // Other calls get a turn between parsing, decoding and sending a large body. Each may take 200 ms.
        const isLarge = body.text.length > largeBodyCharacters
        if (isLarge) yield* Effect.yieldNow

        // 3. Body
        context.names = namesOf(json)
        const { parse, read, refusesFound, refusesPrepared, write } = asksSteps(json, incoming) ? asking : plain
        const made = yield* parse(json, incoming, principal)
        if (made.undoOf !== undefined) context.undoOf = made.undoOf
        if (made.prepared !== undefined) context.names = namesOf(made.request)

        // 4. Provider and operation
        const operation = yield* catalog.operation(made.request)
        const refused = incoming.door?.refuse(operation, principal) ?? refusesFound(made.request, operation)
        if (refused !== undefined) return yield* refused

        // 5. Read-only
        yield* rights.access(principal, operation)

        // 6. Input
        const prepared = made.prepared ??
          (yield* operation.prepare(made.request.input, incoming.door?.reader, () => body.text))
        const request = prepared.sent === undefined ? made.request : { ...made.request, input: prepared.sent }
        if (prepared.sent !== undefined) {
          context.body = JSON.stringify({ ...made.request, input: prepared.exact ?? prepared.sent })
        }
        context.resource = prepared.resource
        const unfit = refusesPrepared(request, operation)
        if (unfit !== undefined) return yield* unfit
        yield* isLarge ? Effect.yieldNow : inFlight.betweenStages

        // 7. to 10., with the steps of features around them
        const call = { incoming, context, principal, share, json, request, operation, prepared, undoOf: made.undoOf }
        const result = yield* (operation.writes ? write : read)({ ...call, notes: Context.empty() })
        const { data } = result
        if (data instanceof StoredResponse && context.connection === undefined) {
          context.connection = yield* rights.choose(principal, operation, data.connectionId ?? "")
          yield* rights.replay(call, data, context.connection)
        }
        return result
      })

      // 11. Log, then the response
      return Calls.of({ call: completed(runSteps) })
    })
  )
}
