import { Clock, Config, Context, Effect, Exit, Layer, Option, References, Schema, Scope } from "effect"
import { namesOf } from "../Api/Calls/CallApi.ts"
import { type CallError, InternalError, InvalidInput } from "../Api/Errors.ts"
import { Capacity } from "../Capacity/Capacity.ts"
import { QuotaNote, RateLimit } from "../Capacity/RateLimit.ts"
import { AccessTokens } from "../Connections/AccessTokens.ts"
import { AccountResources } from "../Connections/Bounds/AccountResources.ts"
import { BoundCalls } from "../Connections/Bounds/BoundCalls.ts"
import { CachedConnections } from "../Connections/CachedConnections.ts"
import { LastErrors } from "../Connections/LastErrors.ts"
import type { JsonText } from "../Domain/Json/JsonText.ts"
import { Catalog } from "../Providers/Catalog/Catalog.ts"
import { ProviderClient, withoutEchoes } from "../Providers/ProviderClient.ts"
import { Approvals } from "./Approvals/Approvals.ts"
import { keyOfApproval } from "./Approvals/StoredCall.ts"
import { makeCachedCalls } from "./Cache/CachedCalls.ts"
import { makeInFlight } from "./Cache/InFlight.ts"
import { CallContext, type CompletedCall } from "./CallContext.ts"
import { Idempotency, StoredResponse } from "./Idempotency/Idempotency.ts"
import { hashBody, makeIdempotentWrites } from "./Idempotency/IdempotentWrite.ts"
import { makeRecordCall } from "./RecordCall.ts"
import { parseCallRequest, receiveBody } from "./Request/CallRequest.ts"
import type { IncomingCall } from "./Request/IncomingCall.ts"
import { KeptResults } from "./Results/Kept/KeptResults.ts"
import type { CallResponse } from "./Results/LongResponse.ts"
import { redactCall } from "./Results/RedactCall.ts"
import { makeShapeResponse } from "./Results/Shaping/ShapeResponse.ts"
import { checkShape, isShaped } from "./Results/Shaping/Shaping.ts"
import { makeRights } from "./Rights.ts"
import { makeSending } from "./Sending.ts"
import { CacheKey } from "./Storage/CacheKey.ts"
import type { RunnableCall } from "./Undo/Preview.ts"
import { makeUndoCalls } from "./Undo/UndoCalls.ts"
import { UndoRecords } from "./Undo/UndoRecords.ts"
import { makeWriteCall } from "./WriteCall.ts"

export type CallResult = CallResponse | StoredResponse

const largeBodyCharacters = 1_000_000

const Price = Schema.FiniteFromString.check(Schema.isGreaterThanOrEqualTo(0))

const Bytes = Schema.FiniteFromString.check(Schema.isInt(), Schema.isGreaterThanOrEqualTo(0))

export const callSettings = Config.all({
  logBodyBytes: Config.schema(Bytes, "LOG_BODY_BYTES").pipe(Config.withDefault(65_536)),
  price: Config.schema(Price, "CALL_PRICE_USD").pipe(Config.withDefault(0))
})

/** The pipeline of every call: the steps that are numbered below. */
export class Calls extends Context.Service<Calls, {
  /** Returns after the call is logged, also when it fails. A stored response is not logged again. */
  readonly call: (incoming: IncomingCall) => Effect.Effect<CallResult, CallError>
}>()("openaccounts/Calls/Calls") {
  static readonly layerNoDeps = Layer.effect(
    Calls,
    Effect.gen(function*() {
      const rateLimit = yield* RateLimit
      const capacity = yield* Capacity
      const catalog = yield* Catalog
      const accessTokens = yield* AccessTokens
      const providerClient = withoutEchoes(yield* ProviderClient)
      const idempotentWrites = makeIdempotentWrites(yield* Idempotency, providerClient)
      const inFlight = yield* makeInFlight
      const cached = yield* makeCachedCalls(inFlight)
      const rights = yield* makeRights
      const sendingOf = yield* makeSending(rights, providerClient)
      const writeCall = yield* makeWriteCall(cached, sendingOf)
      const record = yield* makeRecordCall
      const shapeResponse = yield* makeShapeResponse
      const undoCalls = yield* makeUndoCalls
      const undoRecords = yield* UndoRecords
      const isTraced = yield* References.TracerEnabled
      const { logBodyBytes, price } = yield* callSettings

      const runSteps = Effect.fnUntraced(function*(
        incoming: IncomingCall,
        context: CallContext
      ): Effect.fn.Return<JsonText | StoredResponse, CallError> {
        // 1. Authentication, and the caller's limits
        const { approved } = incoming
        const principal = context.principal = yield* rights.principalOf(incoming)
        yield* rateLimit.take(principal)
        const share = context.share = capacity.open(principal.memberId, context.scope)
        yield* inFlight.yieldBetweenStages

        // 2. Size and JSON, in a turn of the member
        const body = yield* receiveBody(incoming, share)
        context.body = body.text
        const json = yield* body.json
        // Other calls get a turn between parsing, decoding and sending a large body. Each may take 200 ms.
        const isLarge = body.text.length > largeBodyCharacters
        if (isLarge) yield* Effect.yieldNow

        // 3. Body
        const undo = incoming.undoOf === undefined
          ? undefined
          : yield* undoCalls.prepare(principal, incoming.undoOf, incoming.id)
        context.undoOf = undo?.record.callId ?? null
        context.names = namesOf(undo?.request ?? json)
        let request = undo === undefined
          ? yield* parseCallRequest(json, incoming.idempotencyKey)
          : incoming.previewsUndo === true
          ? { ...undo.request, dry_run: true }
          : undo.request

        // 4. Provider and operation
        const operation = yield* catalog.operation(request)
        const refusal = incoming.refuse?.(operation, principal)
        if (refusal !== undefined) return yield* refusal

        const isPreview = request.dry_run === true
        if (isPreview && !operation.writes) return yield* new InvalidInput({ details: [nothingToPreview] })

        // 5. Read-only
        yield* rights.access(principal, operation)

        // 6. Input
        const prepared: RunnableCall = undo?.prepared ??
          (yield* operation.prepare(request.input, incoming.reader, () => body.text))
        if (prepared.sent !== undefined) {
          request = { ...request, input: prepared.sent }
          context.body = JSON.stringify(request)
        }
        context.resource = prepared.resource
        if (isShaped(request)) yield* checkShape(request, operation)
        yield* isLarge ? Effect.yieldNow : inFlight.yieldBetweenStages
        const writeKey = approved === undefined ? incoming.idempotencyKey : keyOfApproval(approved.id)
        if (operation.writes && !isPreview && writeKey !== undefined) {
          const claimed = yield* idempotentWrites.claim({
            memberId: principal.memberId,
            key: writeKey,
            bodyHash: hashBody(json),
            callId: incoming.id
          })
          if (claimed instanceof StoredResponse) {
            // The caller may have other rights than the first, or fewer by now.
            yield* rights.replayed(principal, operation, prepared, claimed, context)
            return claimed
          }
          context.idempotentWrite = claimed
        }

        // 7. Connection
        const permitted = yield* rights.connection(principal, operation, prepared, request.connection_id, context)
        const { bounds, connection } = permitted
        const misplaced = prepared.misplaced()
        if (misplaced.length > 0) return yield* InvalidInput.ofCall(misplaced)
        const access = accessTokens.access(connection, operation.provider)
        if (operation.createsFile && !(yield* access.ownsFiles)) {
          return yield* new InvalidInput({ details: [cannotOwnFiles] })
        }
        yield* inFlight.yieldBetweenStages

        context.dryRun = isPreview
        const call = { ...permitted, incoming, context, principal, operation, prepared, access }
        if (operation.writes) return yield* writeCall({ ...call, request, undo, share })

        // 8. Cache, else 9. Credentials and 10. Provider
        const reading = request.keep === true ? prepared.allRows?.() ?? prepared : prepared
        const key = new CacheKey(connection, operation.target, reading.input, bounds)
        const read = yield* Effect.interruptible(
          cached.read(key, request.max_age ?? 0, (using) => sendingOf({ ...call, prepared: reading }).run(using), share)
        )
        context.cached = read.cached
        context.store = read.store
        const { longest = Infinity } = incoming
        if (!isShaped(request) && read.data.length <= longest) return read.data
        context.whole = read.data
        const shaped = yield* Effect.interruptible(
          shapeResponse(read.data, { principal, connection, bounds, request, prepared, longest: incoming.longest })
        )
        context.page = shaped.page
        return shaped.data
      })

      const call = Effect.fnUntraced(function*(
        incoming: IncomingCall,
        context: CallContext
      ): Effect.fn.Return<CallResult, CallError> {
        const clock = yield* Clock.Clock
        const start = clock.currentTimeNanosUnsafe()
        const holdResponse = (data: JsonText | StoredResponse) => context.holdResponse(data, incoming)
        const running = Effect.tap(runSteps(incoming, context), holdResponse).pipe(
          Effect.tapDefect((defect) => Effect.logError("A call failed inside the service", defect))
        )
        const exit = yield* Effect.exit(running)
        if (context.quotaCaller?.scarcest !== undefined) {
          const note = yield* QuotaNote
          if (note !== undefined) note.provider = context.quotaCaller.scarcest
        }
        const latency = clock.currentTimeNanosUnsafe() - start
        yield* inFlight.yieldBetweenStages
        let completed: CompletedCall
        if (Exit.isFailure(exit)) completed = context.fail(exit.cause, latency)
        else if (exit.value instanceof StoredResponse) {
          // The answer to an approval: the provider was not asked, so the key of the request is free again.
          yield* context.idempotentWrite?.settle(Exit.fail(new InternalError()), null) ?? Effect.void
          const until = yield* undoRecords.until(exit.value.callId)
          if (Option.isSome(until)) incoming.undoable?.(until.value)
          return exit.value
        } else completed = context.succeed(exit.value, latency, price)

        // 11. Log, then the response. A plan that has succeeded is part of the approved call that follows.
        if (incoming.planned !== undefined && Exit.isSuccess(exit)) return yield* completed.result
        if (isTraced) yield* Effect.annotateCurrentSpan(spanAttributes(completed.call))
        yield* record(context, redactCall(completed.call, logBodyBytes), completed.result, incoming.address)
        return yield* completed.result
      })

      return Calls.of({
        // When the caller disconnects, a write is finished and a read is stopped. Both are logged.
        call: (incoming) =>
          Effect.suspend(() => {
            const context = new CallContext(incoming.id, incoming.reader)
            return inFlight.run(Effect.ensuring(call(incoming, context), Scope.close(context.scope, Exit.void)))
          })
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([
      AccessTokens.layer,
      AccountResources.layer,
      Approvals.layer,
      BoundCalls.layer,
      CachedConnections.layer,
      Capacity.layer,
      Idempotency.layer,
      KeptResults.layer,
      LastErrors.layer,
      RateLimit.layer,
      UndoRecords.layer
    ])
  )
}

const spanAttributes = ({ cached, connection_id, error_code, outcome, provider, target }: CompletedCall["call"]) => ({
  ...provider === null ? {} : { provider },
  ...target === null ? {} : { target },
  outcome,
  ...error_code === null ? {} : { error_code },
  cached,
  ...connection_id === null ? {} : { connection: connection_id }
})

const nothingToPreview = { path: ["dry_run"], message: "Only a call of an operation that writes has a preview" }

const cannotOwnFiles = {
  path: ["connection_id"],
  message: "A service account cannot own files; use a connection made through an identity-provider sign-in " +
    "(or a service account with a `subject` to act for)"
}
