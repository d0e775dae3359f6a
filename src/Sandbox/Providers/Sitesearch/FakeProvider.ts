import { Effect, Option, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { company } from "../../Data/Company.ts"
import type { SandboxStore } from "../../Data/SandboxStore.ts"
import { type FaultCaller, FaultInjection, type FaultResponses } from "../../Faults/FaultInjection.ts"
import { findFault } from "../../Faults/Faults.ts"
import { type Caller, Identity } from "../../Identity/Identity.ts"
import { scopes } from "../../Identity/Scopes.ts"
import {
  bearerToken,
  bodyText,
  type FakeProvider,
  type RequestTarget,
  requestTarget
} from "../../Server/FakeProvider.ts"
import { decodeParameters, type Method, methods } from "./Methods.ts"
import { resourceOf } from "./Sites.ts"
import { type SitesearchError, sitesearchError } from "./SitesearchError.ts"

/** The key that the sandbox knows. */
export const sandboxApiKey = "f3a9c1d27b604e58912d6c0ab7e4d135"

const root = "/webmaster/api.svc/json/"

/** Site search: two verified sites and one that is not; an API key or a sign-in opens it. */
export const sitesearch: Effect.Effect<FakeProvider, never, Identity | FaultInjection | SandboxStore> = Effect.gen(
  function*() {
    const identity = yield* Identity
    const interference = yield* FaultInjection
    const table = yield* methods

    const authenticate = Effect.fnUntraced(
      function*(request: HttpServerRequest.HttpServerRequest, { query }: RequestTarget) {
        const key = query.get("apikey")
        if (key !== null) return key === sandboxApiKey ? keyHolder : yield* sitesearchError("InvalidApiKey")
        if (request.headers["authorization"] === undefined) return yield* sitesearchError("InvalidApiKey")
        const caller = yield* identity.verifyAccessToken("sitesearch", bearerToken(request) ?? "")
        return Option.isSome(caller) ? caller.value : yield* sitesearchError("InvalidToken")
      }
    )

    const answer = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest, target: RequestTarget) {
      const name = target.path.startsWith(root) ? target.path.slice(root.length) : ""
      const method = table.get(name)
      if (method === undefined) return page(404, "Endpoint not found.")
      if (method.verb !== request.method) return page(405, "Method not allowed.")
      const caller = yield* authenticate(request, target)
      yield* authorize(caller, method)
      const parameters = yield* method.verb === "GET" ? readQuery(target.query) : readBody(yield* bodyText)
      const failure = findFault(resourceOf(parameters.siteUrl ?? ""))
      if (Option.isSome(failure)) {
        const instead = yield* interference.inject(failure.value, caller, wordingFor(caller))
        if (Option.isSome(instead)) return instead.value
      }
      return json({ d: yield* method.answer(parameters) })
    })

    const app = Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      (request) =>
        Effect.catchTags(answer(request, requestTarget(request)), {
          SearchError: (error) => Effect.succeed(refusal(error)),
          // What cannot be read fails in the framework below the provider.
          SchemaError: ({ message }) =>
            Effect.succeed(
              json({ ExceptionDetail: null, ExceptionType: null, Message: message, StackTrace: null }, 500, {
                jsonerror: "true"
              })
            )
        })
    )

    return {
      apps: { sitesearch: app },
      connection: {
        provider: "sitesearch",
        auth_type: "api_key",
        credentials: { api_key: sandboxApiKey },
        label: `${company.name}: site search`,
        external_account: company.account,
        scopes: [scopes.webmasterManage]
      }
    }
  }
)

/** An API key may do everything. */
const keyHolder: FaultCaller & Pick<Caller, "scope"> = {
  grant: "api-key",
  id: "api-key",
  kind: "api_key",
  scope: scopes.webmasterManage
}

const authorize = ({ scope }: Pick<Caller, "scope">, { verb }: Method): Effect.Effect<void, SitesearchError> =>
  verb === "POST" && !scope.split(" ").includes(scopes.webmasterManage)
    ? Effect.fail(sitesearchError("NotAllowed"))
    : Effect.void

/** A value that begins with a quotation mark is a JSON string. */
const readQuery = (query: URLSearchParams) =>
  Effect.flatMap(
    Effect.forEach([...query], ([name, value]) =>
      value.trimStart().startsWith("\"")
        ? Effect.map(decodeQuoted(value), (text) => [name, text] as const)
        : Effect.succeed([name, value] as const)),
    (pairs) => decodeParameters(Object.fromEntries(pairs))
  )

const decodeQuoted = Schema.decodeEffect(Schema.fromJsonString(Schema.String))

const decodeJson = Schema.decodeEffect(Schema.fromJsonString(Schema.Unknown))

const readBody = (text: string) => Effect.flatMap(decodeJson(text), decodeParameters)

const json = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.jsonUnsafe(body, { status, headers, contentType: "application/json; charset=utf-8" })

const refusal = (error: SitesearchError, headers: Readonly<Record<string, string>> = {}) =>
  json(error.body, 400, headers)

const page = (status: number, text: string) =>
  HttpServerResponse.text(
    `<!DOCTYPE html><html><head><title>Service</title></head><body><p>${text}</p></body></html>`,
    {
      status,
      contentType: "text/html; charset=UTF-8"
    }
  )

const wordingFor = ({ kind }: FaultCaller): FaultResponses => ({
  unauthorized: refusal(sitesearchError(kind === "user" ? "InvalidToken" : "InvalidApiKey")),
  forbidden: refusal(sitesearchError("NotAuthorized")),
  throttled: (headers) => refusal(sitesearchError("ThrottleUser"), headers),
  internal: json({ ErrorCode: 1, Message: "ERROR!!! InternalError" }, 500)
})
