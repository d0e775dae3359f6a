import { Effect, Exit, Predicate } from "effect"
import type { AnyApiError } from "../../Api/ApiError.ts"
import { type ApiError, InvalidInput, ToolNotFound } from "../../Api/Errors.ts"
import type { Credential } from "../../Auth/Credential.ts"
import { type AgentTool, AgentTools, type ToolCaller, type ToolOutput } from "../../Calls/AgentTools/AgentTools.ts"
import { type CallResult, StoredResponse } from "../../Calls/CallResult.ts"
import { Calls } from "../../Calls/Calls.ts"
import type { CallHeaders, Door, IncomingCall, Origin } from "../../Calls/Request/IncomingCall.ts"
import { makeReadOnlyRefusal } from "../../Calls/Rights.ts"
import { MetLimits, noteRate } from "../../Capacity/RateLimit.ts"
import type { Principal } from "../../Domain/Access/Principal.ts"
import { CallId } from "../../Domain/Ids.ts"
import { newId } from "../../Domain/NewId.ts"
import { nameNearest } from "../../Domain/Text/Nearest.ts"
import { Served } from "../../Http/Served.ts"
import { toApiError } from "../../Http/Server/ErrorResponses.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import type { Operation } from "../../Providers/Catalog/Operation.ts"
import { type Elicitation, elicitDecision } from "./Elicitation.ts"
import { askForLess } from "./Tools/AskForLess.ts"
import { callerOf, describeEndpoint } from "./Tools/DescribeEndpoint.ts"
import * as GeneralTools from "./Tools/GeneralTools.ts"
import { makeListConnections, withoutActive } from "./Tools/ListConnections.ts"
import { callOfEndpoint, callOfTool } from "./Tools/SmartTools.ts"
import { servedFields, type ToolDefinition } from "./Tools/ToolDefinition.ts"
import { makeToolList } from "./Tools/ToolList.ts"
import { errorResult, maxDataLength, type ToolResult, toolResult } from "./Tools/ToolResult.ts"

export interface ToolCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** `args` with every digit of their numbers. */
  readonly exactArgs: () => Readonly<Record<string, unknown>> | undefined
  readonly meta: Readonly<Record<string, unknown>>
  readonly elicitation?: Elicitation
}

export interface Caller extends Pick<IncomingCall, "sent">, Pick<CallHeaders, "prefer" | "priority"> {
  readonly principal: Principal
  readonly credential: Credential
}

export const makeToolCalls = Effect.gen(function*() {
  const calls = yield* Calls
  const catalog = yield* Catalog
  const agentTools = yield* AgentTools
  const connections = yield* makeListConnections
  const readOnlyRefusal = yield* makeReadOnlyRefusal
  const served = servedFields(yield* Served)
  const tools = makeToolList(catalog, agentTools, served)

  const callOperation = (
    caller: Caller,
    id: CallId,
    request: Readonly<Record<string, unknown>>,
    { exact = () => request, meta, origin, refuse }: Pick<ToolCall, "meta"> & {
      readonly exact?: () => unknown
      readonly origin?: Origin | undefined
      readonly refuse?: Door["refuse"] | undefined
    }
  ) => {
    let operation: Operation | undefined
    return Effect.map(
      calls.call({
        id,
        credential: caller.credential,
        headers: { idempotencyKey: idempotencyKeyOf(meta), prefer: caller.prefer, priority: caller.priority },
        sent: caller.sent,
        ...origin === undefined ? {} : { origin },
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
      (result) => answerOf(result, operation)
    )
  }

  /** The tool is declared as writing, even for an endpoint that reads. */
  const onlyWriters: Door["refuse"] = (_, principal) =>
    principal.access === "read_only" ? readOnlyRefusal(principal) : undefined

  const generalTools: ReadonlyArray<AgentTool> = [
    {
      ...GeneralTools.listConnections,
      run: (args, { principal }) =>
        Effect.map(
          connections.list(principal, args),
          (value) => ({ json: JSON.stringify(value), askForLess: "Pass `provider`." })
        )
    },
    {
      ...GeneralTools.describeEndpoint,
      run: (args) =>
        Effect.map(
          describeEndpoint(catalog, args),
          (value) => ({ json: JSON.stringify(value), askForLess: "Pass `part`." })
        )
    },
    { ...GeneralTools.callReadEndpoint(served), ...callsEndpoint(onlyReads) },
    { ...GeneralTools.callWriteEndpoint(served), ...callsEndpoint(onlyWriters) }
  ]
  yield* Effect.forEach(generalTools, agentTools.add, { discard: true })

  const toolCaller = (caller: Caller, id: CallId, { exactArgs, meta }: ToolCall): ToolCaller => ({
    principal: caller.principal,
    unconnected: Effect.map(
      connections.visible(caller.principal),
      (visible) => withoutActive(catalog.providers, visible)
    ),
    longest: maxDataLength,
    exactArgs,
    // The idempotency key of the message is for the call of the agent, not for calls that a tool makes.
    call: (request, { exact, origin, refuse }) =>
      callOperation(caller, id, request, {
        meta: origin === undefined ? meta : {},
        origin,
        refuse,
        ...exact && { exact }
      })
  })

  const run = (caller: Caller, id: CallId, call: ToolCall): Effect.Effect<ToolOutput, AnyApiError> => {
    const { args, meta, name } = call
    const tool = tools.find(name)
    if (tool !== undefined) {
      return callOperation(caller, id, callOfTool(tool, args, served), {
        meta,
        ...tool.writes ? { exact: () => callOfTool(tool, call.exactArgs() ?? args, served) } : {}
      })
    }
    return agentTools.find(name)?.run(args, toolCaller(caller, id, call)) ??
      Effect.fail(unknownTool(name, tools.names()))
  }

  const isKnown = (name: string) => tools.find(name) !== undefined || agentTools.find(name) !== undefined

  const questionOf = (error: ApiError) => {
    for (const { question } of agentTools.all()) {
      const asked = question?.(error)
      if (asked !== undefined) return asked
    }
    return undefined
  }

  const toResult = (caller: Caller, id: CallId, call: ToolCall) =>
    Effect.map(run(caller, id, call), toolResult).pipe(
      Effect.catchCause((cause) =>
        Effect.flatMap(
          toApiError(cause),
          (error) =>
            error instanceof ToolNotFound && !isKnown(call.name)
              ? Effect.fail(error)
              : Effect.succeed(errorResult(error, id, questionOf(error)))
        )
      )
    )

  return {
    list: (principal: Principal): Effect.Effect<ReadonlyArray<ToolDefinition>> =>
      Effect.map(
        connections.visible(principal),
        (visible) =>
          tools.list(
            { principal, unconnected: withoutActive(catalog.providers, visible) },
            new Set(visible.map(({ provider }) => provider))
          )
      ),

    isCounted: (name: string): boolean => tools.find(name) !== undefined || agentTools.find(name)?.isCall === true,

    /** A failed call is a result. Only an unknown tool is a failure. */
    call: (caller: Caller, id: CallId, call: ToolCall): Effect.Effect<ToolResult, ToolNotFound> =>
      withQuota(elicitDecision(caller.principal, call.elicitation, {
        first: toResult(caller, id, call),
        again: Effect.flatMap(newId("call"), (next) => toResult(caller, CallId.make(next), call))
      }))
  }
})

/** Adds the scarcest quota of the provider to the result. The headers of the response have it too. */
const withQuota = Effect.fnUntraced(function*<E>(call: Effect.Effect<ToolResult, E>) {
  const met: MetLimits = { rate: undefined, provider: undefined }
  const result = yield* Effect.provideService(call, MetLimits, met)
  const response = yield* MetLimits
  if (response !== undefined) {
    if (met.rate !== undefined) noteRate(response, met.rate)
    response.provider = met.provider ?? response.provider
  }
  if (met.provider === undefined) return result
  const { limit, name, remaining, resetsAt } = met.provider
  const quota = { name, limit, remaining, resets_at: new Date(resetsAt).toISOString() }
  return { ...result, meta: { ...result.meta, "openaccounts/quota": quota } }
})

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

const callsEndpoint = (refuse: Door["refuse"]): Pick<AgentTool, "isCall" | "run"> => ({
  isCall: true,
  run: (args, { call, exactArgs }) =>
    call(callOfEndpoint(args), { refuse, exact: () => callOfEndpoint(exactArgs() ?? args) })
})

const answerOf = ({ facts, response }: CallResult, operation: Operation | undefined): ToolOutput => {
  const until = facts.undoableUntil
  const hint = operation === undefined ? "" : askForLess(operation)
  if (!(response instanceof StoredResponse)) {
    return {
      json: response.text,
      askForLess: hint,
      ...until === undefined ? {} : { meta: { "openaccounts/undo": { until: until.toISOString() } } }
    }
  }
  return {
    json: response.body,
    askForLess: hint,
    isError: response.status >= 400,
    replayOf: response.callId,
    meta: { "openaccounts/idempotency-replayed": true }
  }
}

/** The empty key is invalid, so a value of another type is refused too. */
const idempotencyKeyOf = (meta: ToolCall["meta"]): string | undefined => {
  const key = meta["openaccounts/idempotency-key"]
  return key === undefined || Predicate.isString(key) ? key : ""
}
