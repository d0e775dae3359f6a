import { Effect, Layer, type Scope } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { type ApiError, Unauthenticated } from "../../Api/Errors.ts"
import { InvalidJson } from "../../Api/Errors/RequestErrors.ts"
import { Auth } from "../../Auth/Auth.ts"
import type { Credential } from "../../Auth/Credential.ts"
import { Capacity } from "../../Capacity/Capacity.ts"
import { RateLimit } from "../../Capacity/RateLimit.ts"
import type { Principal } from "../../Domain/Access/Principal.ts"
import { CallId } from "../../Domain/Ids.ts"
import { newId } from "../../Domain/NewId.ts"
import { CurrentCallId } from "../../Domain/Request/CurrentCallId.ts"
import { Served } from "../../Http/Served.ts"
import { withErrorResponse } from "../../Http/Server/ErrorResponses.ts"
import { maxRequestBytes, readBody } from "../../Http/Server/RequestBody.ts"
import { responseScope } from "../../Http/Server/ResponseScope.ts"
import { sessionCookie } from "../../Http/SessionCookie.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import { ownBaseUrl } from "../../Settings.ts"
import { McpApi } from "./Contract.ts"
import { instructions } from "./Instructions.ts"
import { type McpResponse, respond } from "./McpServer.ts"
import { type Messages, parseMessages, toolOf } from "./Messages.ts"
import { makeOriginGuard } from "./OriginGuard.ts"
import { type Caller, makeToolCalls, type ToolCall } from "./ToolCalls.ts"
import { servedFields } from "./Tools/ToolDefinition.ts"

type Request = HttpServerRequest.HttpServerRequest

const makeMcpHandler = Effect.gen(function*() {
  const auth = yield* Auth
  const rateLimit = yield* RateLimit
  const capacity = yield* Capacity
  const { providers } = yield* Catalog
  const baseUrl = yield* ownBaseUrl
  const { credentialOf } = yield* sessionCookie
  const limit = yield* maxRequestBytes
  const tools = yield* makeToolCalls
  const refuseOrigin = makeOriginGuard(baseUrl)
  const served = yield* Served
  const fields = servedFields(served)
  const instructionsOf = {
    read_only: instructions(providers, "read_only", fields),
    read_write: instructions(providers, "read_write", fields)
  }

  const take = (principal: Principal, times: number) =>
    Effect.replicateEffect(rateLimit.take(principal), times, { discard: true })

  const exchange = Effect.fnUntraced(function* exchange(
    request: Request,
    { exactArguments, json, list }: Messages,
    caller: Caller
  ) {
    const { principal } = caller
    const operations = list.filter((message) => tools.isCounted(toolOf(message))).length
    yield* take(principal, list.length - operations)
    const firstId = yield* CurrentCallId
    let called = 0
    let calledOperations = 0
    let replayed: CallId | undefined

    const response = yield* respond({
      url: `${baseUrl}/mcp`,
      headers: headersOf(request),
      json,
      exactArguments,
      instructions: instructionsOf[principal.access],
      list: tools.list(principal),
      call: Effect.fnUntraced(function* call(call: ToolCall) {
        // One old revision has batches: several calls in one request.
        const id = called++ === 0 ? firstId : CallId.make(yield* newId("call"))
        if (tools.isCounted(call.name)) calledOperations++
        const result = yield* Effect.mapError(tools.call(caller, id, call), (error) => ({ error, id }))
        replayed = result.replayOf
        return result
      })
    })
    yield* Effect.ignore(take(principal, operations - calledOperations))
    // The response is sent in any case: the calls may have changed something.
    const share = capacity.open(principal.memberId, caller.sent()).neverRefusing
    yield* Effect.orDie(share.reserve("response", Buffer.byteLength(response.text)))
    return toResponse(response, replayed)
  })

  /** The scope closes after the calls: a write goes on when its caller has disconnected. */
  const serve = Effect.fnUntraced(function* serve(request: Request): Effect.fn.Return<
    HttpServerResponse.HttpServerResponse,
    ApiError,
    Scope.Scope
  > {
    const credential = credentialOf(request)
    if (credential?.type !== "bearer") return yield* new Unauthenticated()
    const principal = yield* auth.authenticate(credential)
    const refusal = refuseOrigin(request.headers)
    if (refusal !== undefined) return yield* refusal
    const caller = callerOf(request, credential, principal)
    const share = capacity.open(principal.memberId, yield* Effect.scope)
    const body = yield* readBody(request, limit, (length) => share.reserve("message", length))
    return yield* Effect.matchEffect(parseMessages(body), {
      onSuccess: (messages) => exchange(request, messages, caller),
      onFailure: (error) => Effect.andThen(take(principal, 1), invalidMessage(error))
    })
  })

  const signIn = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp", scope="read write"`
  const challenge = served.features["agent_access"] === true ? `Bearer ${signIn}` : "Bearer"

  return (request: Request) =>
    Effect.map(
      withErrorResponse(Effect.interruptible(Effect.scoped(serve(request)))),
      (response) =>
        response.status === 401 ? HttpServerResponse.setHeader(response, "www-authenticate", challenge) : response
    )
})

const McpHandlers = HttpApiBuilder.group(
  McpApi,
  "mcp",
  Effect.fn(function*(handlers) {
    const exchange = yield* makeMcpHandler

    return handlers.handle("message", ({ request }) => exchange(request))
  })
)

export const McpRoutes = HttpApiBuilder.layer(McpApi).pipe(Layer.provide(McpHandlers))

const callerOf = (request: Request, credential: Credential, principal: Principal): Caller => {
  const sent = responseScope(request)
  return {
    principal,
    credential,
    sent: () => sent,
    prefer: request.headers["prefer"],
    priority: request.headers["priority"]
  }
}

const headersOf = ({ headers }: Request): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("mcp-"))),
  accept: "application/json, text/event-stream",
  "content-type": "application/json"
})

const parseError = -32_700
const invalidRequest = -32_600

const invalidMessage = (error: ApiError) =>
  Effect.map(CurrentCallId, (id) => {
    const code = error instanceof InvalidJson ? parseError : invalidRequest
    const body = { jsonrpc: "2.0", id: null, error: { code, message: error.message, data: error.body(id) } }
    return HttpServerResponse.jsonUnsafe(body, { status: error.status })
  })

const toResponse = ({ headers, status, text }: McpResponse, replayed: CallId | undefined) =>
  HttpServerResponse.text(text, {
    status,
    contentType: headers["content-type"] ?? "application/json",
    headers: {
      ...headers["mcp-session-id"] === undefined ? {} : { "mcp-session-id": headers["mcp-session-id"] },
      ...replayed === undefined ? {} : { "x-call-id": replayed }
    }
  })
