import { Effect, Exit, Predicate, Schema } from "effect"
import {
  type ApprovalNotFound,
  type CallError,
  InvalidInput,
  type ResultNotFound,
  ToolNotFound
} from "../../Api/Errors.ts"
import type { ClientNotFound } from "../../Api/ManagementErrors.ts"
import type { Credential } from "../../Auth/Credential.ts"
import { type CallResult, StoredResponse } from "../../Calls/Answered.ts"
import { ApprovedCalls } from "../../Calls/ApprovedCalls.ts"
import { Calls } from "../../Calls/Calls.ts"
import { makeReadOnlyRefusal } from "../../Calls/ReadOnlyRefusal.ts"
import type { CallHeaders, Door, IncomingCall } from "../../Calls/Request/IncomingCall.ts"
import { textOf } from "../../Calls/Results/LongResponse.ts"
import { UndoCalls } from "../../Calls/Undo/UndoCalls.ts"
import { noteQuota, QuotaNote, type Quotas } from "../../Capacity/RateLimit.ts"
import type { Principal } from "../../Domain/Access/Principal.ts"
import { Approval } from "../../Domain/Calls/Approval.ts"
import { CallId } from "../../Domain/Ids.ts"
import { newId } from "../../Domain/NewId.ts"
import { nameNearest } from "../../Domain/Text/Nearest.ts"
import { toApiError } from "../../Http/Server/ErrorResponses.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import type { Operation } from "../../Providers/Catalog/Operation.ts"
import { elicitApproval, type Elicitation } from "./Elicitation.ts"
import { askForLess } from "./Tools/AskForLess.ts"
import { callerOf, describeEndpoint } from "./Tools/DescribeEndpoint.ts"
import { generalToolNames, isGeneralTool } from "./Tools/GeneralTools.ts"
import { makeListConnections } from "./Tools/ListConnections.ts"
import { makeQueryResult } from "./Tools/QueryResult.ts"
import { makeRequestConnection } from "./Tools/RequestConnection.ts"
import { callOfEndpoint, callOfTool } from "./Tools/SmartTools.ts"
import { decodeArguments } from "./Tools/ToolArguments.ts"
import type { ToolDefinition } from "./Tools/ToolDefinition.ts"
import { makeToolList } from "./Tools/ToolList.ts"
import { errorResult, maxDataLength, type ToolResult, toolResult, valueResult } from "./Tools/ToolResult.ts"

export interface ToolCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** `args` with every digit of their numbers. */
  readonly exactArgs: () => Readonly<Record<string, unknown>> | undefined
  readonly meta: Readonly<Record<string, unknown>>
  readonly elicitation?: Elicitation
}

export interface Caller extends Pick<IncomingCall, "address" | "sent">, Pick<CallHeaders, "prefer" | "priority"> {
  readonly principal: Principal
  readonly credential: Credential
}

export const makeToolCalls = Effect.gen(function*() {
  const calls = yield* Calls
  const catalog = yield* Catalog
  const connections = yield* makeListConnections
  const requests = yield* makeRequestConnection
  const queryResult = yield* makeQueryResult
  const approvals = yield* ApprovedCalls
  const readOnlyRefusal = yield* makeReadOnlyRefusal
  const undoCalls = yield* UndoCalls
  const tools = makeToolList(catalog)

  const callOperation = (
    caller: Caller,
    id: CallId,
    request: Readonly<Record<string, unknown>>,
    { exact = () => request, meta, refuse, undoOf }: Pick<ToolCall, "meta"> & {
      readonly exact?: () => unknown
      readonly refuse?: Door["refuse"]
      readonly undoOf?: string
    }
  ) => {
    let operation: Operation | undefined
    return Effect.map(
      calls.call({
        id,
        credential: caller.credential,
        headers: { idempotencyKey: idempotencyKeyOf(meta), prefer: caller.prefer, priority: caller.priority },
        address: caller.address,
        sent: caller.sent,
        ...undoOf === undefined ? {} : { origin: undoCalls.origin(undoOf) },
        body: () => Effect.sync(() => ({ text: JSON.stringify(exact()), json: Exit.succeed(request) })),
        door: {
          reader: "agent",
          longest: maxDataLength,
          refuse: (found, principal) => {
            operation = found
            return refuse?.(found, principal)
          }
        }
      }),
      (result) => resultOf(result, operation)
    )
  }

  /** The tool is declared as writing, even for an endpoint that reads. */
  const onlyWriters: Door["refuse"] = (_, principal) =>
    principal.access === "read_only" ? readOnlyRefusal(principal) : undefined

  const callEndpoint = (caller: Caller, id: CallId, { args, meta }: ToolCall, refuse: Door["refuse"]) =>
    callOperation(caller, id, callOfEndpoint(args), { meta, refuse })

  const run = (
    caller: Caller,
    id: CallId,
    call: ToolCall
  ): Effect.Effect<ToolResult, CallError | ClientNotFound | ResultNotFound | ApprovalNotFound> => {
    const { args, meta, name } = call
    const tool = tools.find(name)
    if (tool !== undefined) {
      return callOperation(caller, id, callOfTool(tool, args), {
        meta,
        ...tool.writes ? { exact: () => callOfTool(tool, call.exactArgs() ?? args) } : {}
      })
    }
    switch (name) {
      case "list_connections":
        return Effect.map(
          connections.list(caller.principal, args),
          (value) => valueResult(value, "Pass `provider`.")
        )
      case "request_connection":
        return connections.visible(caller.principal).pipe(
          Effect.flatMap((visible) => requests.request(caller.principal, args, visible)),
          Effect.map((value) => valueResult(value, ""))
        )
      case "describe_endpoint":
        return Effect.map(describeEndpoint(catalog, args), (value) => valueResult(value, "Pass `part`."))
      case "undo":
        return Effect.flatMap(
          decodeUndo(args),
          ({ call_id: undoOf }) => callOperation(caller, id, { undo: undoOf }, { meta: {}, undoOf })
        )
      case "get_approval":
        return Effect.flatMap(
          decodeApproval(args),
          ({ approval, wait = 0 }) =>
            Effect.map(
              approvals.get(caller.principal, approval, wait),
              (found) => toolResult(JSON.stringify(encode(found)), "")
            )
        )
      case "call_read_endpoint":
        return callEndpoint(caller, id, call, onlyReads)
      case "query_result":
        return queryResult(caller.principal, args)
      case "call_write_endpoint":
        return callEndpoint(caller, id, call, onlyWriters)
      default:
        return Effect.fail(unknownTool(name, [...generalToolNames, ...tools.names]))
    }
  }

  const toResult = (caller: Caller, id: CallId, call: ToolCall) =>
    Effect.catchCause(
      run(caller, id, call),
      (cause) =>
        Effect.flatMap(
          toApiError(cause),
          (error) =>
            error instanceof ToolNotFound && tools.find(call.name) === undefined && !isGeneralTool(call.name)
              ? Effect.fail(error)
              : Effect.succeed(errorResult(error, id))
        )
    )

  return {
    list: (principal: Principal): Effect.Effect<ReadonlyArray<ToolDefinition>> =>
      Effect.map(
        connections.visible(principal),
        (visible) =>
          tools.list(
            new Set(visible.map(({ provider }) => provider)),
            principal,
            requests.connectable(principal, visible)
          )
      ),

    isCounted: (name: string): boolean =>
      name === "undo" || name === "call_read_endpoint" || name === "call_write_endpoint" ||
      tools.find(name) !== undefined,

    /** A failed call is a result. Only an unknown tool is a failure. */
    call: (caller: Caller, id: CallId, call: ToolCall): Effect.Effect<ToolResult, ToolNotFound> =>
      withQuota(elicitApproval(approvals, caller.principal, call.elicitation, {
        first: toResult(caller, id, call),
        again: Effect.flatMap(newId("call"), (next) => toResult(caller, CallId.make(next), call))
      }))
  }
})

/** Says the scarcest quota of the provider in the result, besides in the headers of the response. */
const withQuota = Effect.fnUntraced(function*<E>(call: Effect.Effect<ToolResult, E>) {
  const note: Quotas = { quota: undefined, provider: undefined }
  const result = yield* Effect.provideService(call, QuotaNote, note)
  const response = yield* QuotaNote
  if (response !== undefined) {
    if (note.quota !== undefined) noteQuota(response, note.quota)
    response.provider = note.provider ?? response.provider
  }
  if (note.provider === undefined) return result
  const { limit, name, remaining, resetsAt } = note.provider
  const quota = { name, limit, remaining, resets_at: new Date(resetsAt).toISOString() }
  return { ...result, meta: { ...result.meta, "openaccounts/quota": quota } }
})

const encode = Schema.encodeSync(Schema.toCodecJson(Approval))

const decodeUndo = decodeArguments(Schema.Struct({ call_id: Schema.String }))
const decodeApproval = decodeArguments(Schema.Struct({
  approval: Schema.String,
  wait: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 })))
}))

const unknownTool = (name: string, names: ReadonlyArray<string>): ToolNotFound =>
  new ToolNotFound({
    message: `There is no tool ${JSON.stringify(name.slice(0, 100).toWellFormed())}. ` +
      `The nearest are ${nameNearest(name, names, (each) => each)}.`
  })

const onlyReads: Door["refuse"] = ({ target, writes }) =>
  writes
    ? InvalidInput.ofCall([{
      path: ["endpoint"],
      message: `${target.slice("raw:".length)} writes: call it with ${callerOf(true)}, which needs read-write access`
    }])
    : undefined

const resultOf = ({ facts, response }: CallResult, operation: Operation | undefined): ToolResult => {
  const until = facts.undoableUntil
  const hint = operation === undefined ? "" : askForLess(operation)
  if (!(response instanceof StoredResponse)) {
    return toolResult(textOf(response), hint, {
      isError: false,
      ...until === undefined ? {} : { meta: { "openaccounts/undo": { until: until.toISOString() } } }
    })
  }
  return toolResult(response.body, hint, {
    isError: response.status >= 400,
    replayOf: response.callId,
    meta: { "openaccounts/idempotency-replayed": true }
  })
}

/** The empty key is invalid, so a value of another type is refused too. */
const idempotencyKeyOf = (meta: ToolCall["meta"]): string | undefined => {
  const key = meta["openaccounts/idempotency-key"]
  return key === undefined || Predicate.isString(key) ? key : ""
}
