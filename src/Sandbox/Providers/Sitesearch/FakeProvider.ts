import { Effect, Option, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { company } from "../../Data/Company.ts"
import type { SandboxStore } from "../../Data/SandboxStore.ts"
import { type FaultCaller, FaultInjection, type FaultResponses } from "../../Faults/FaultInjection.ts"
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
import { normalizeSiteUrl } from "./Sites.ts"
import { type SitesearchError, sitesearchError } from "./SitesearchError.ts"

export const sandboxApiKey = "f3a9c1d27b604e58912d6c0ab7e4d135"

const root = "/webmaster/api.svc/json/"

export const fakeProvider: Effect.Effect<FakeProvider, never, Identity | FaultInjection | SandboxStore> = Effect.gen(
  function*() {
    const identity = yield* Identity
    const faultInjection = yield* FaultInjection
    const methodsByName = yield* methods

    const authenticate = Effect.fnUntraced(
      function*(request: HttpServerRequest.HttpServerRequest, { query }: RequestTarget) {
        const key = query.get("apikey")
        if (key !== null) return key === sandboxApiKey ? apiKeyCaller : yield* sitesearchError("InvalidApiKey")
        if (request.headers["authorization"] === undefined) return yield* sitesearchError("InvalidApiKey")
        const caller = yield* identity.verifyAccessToken("sitesearch", bearerToken(request) ?? "")
        return Option.isSome(caller) ? caller.value : yield* sitesearchError("InvalidToken")
      }
    )

    const respond = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest, target: RequestTarget) {
      const name = target.path.startsWith(root) ? target.path.slice(root.length) : ""
      const method = methodsByName.get(name)
      if (method === undefined) return htmlPage(404, "Endpoint not found.")
      if (method.method !== request.method) return htmlPage(405, "Method not allowed.")
      const caller = yield* authenticate(request, target)
      yield* authorize(caller, method)
      const parameters = yield* method.method === "GET" ? decodeQuery(target.query) : decodeBody(yield* bodyText)
      const site = normalizeSiteUrl(parameters.siteUrl ?? "")
      const faulty = yield* faultInjection.inject(site, caller, faultResponses(caller))
      if (Option.isSome(faulty)) return faulty.value
      return json({ d: yield* method.respond(parameters) })
    })

    const app = Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      (request) =>
        Effect.catchTags(respond(request, requestTarget(request)), {
          SearchError: (error) => Effect.succeed(errorResponse(error)),
          // The live API rejects unreadable requests in .NET, before its own error handling.
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

const apiKeyCaller: FaultCaller & Pick<Caller, "scope"> = {
  grant: "api-key",
  id: "api-key",
  kind: "api_key",
  scope: scopes.webmasterManage
}

const authorize = ({ scope }: Pick<Caller, "scope">, { method }: Method): Effect.Effect<void, SitesearchError> =>
  method === "POST" && !scope.split(" ").includes(scopes.webmasterManage)
    ? Effect.fail(sitesearchError("NotAllowed"))
    : Effect.void

const decodeQuery = (query: URLSearchParams) =>
  Effect.flatMap(
    Effect.forEach([...query], ([name, value]) =>
      value.trimStart().startsWith("\"")
        ? Effect.map(decodeQuoted(value), (text) => [name, text] as const)
        : Effect.succeed([name, value] as const)),
    (pairs) => decodeParameters(Object.fromEntries(pairs))
  )

const decodeQuoted = Schema.decodeEffect(Schema.fromJsonString(Schema.String))

const decodeJson = Schema.decodeEffect(Schema.fromJsonString(Schema.Unknown))

const decodeBody = (text: string) => Effect.flatMap(decodeJson(text), decodeParameters)

const json = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.jsonUnsafe(body, { status, headers, contentType: "application/json; charset=utf-8" })

const errorResponse = (error: SitesearchError, headers: Readonly<Record<string, string>> = {}) =>
  json(error.body, 400, headers)

const htmlPage = (status: number, text: string) =>
  HttpServerResponse.text(
    `<!DOCTYPE html><html><head><title>Service</title></head><body><p>${text}</p></body></html>`,
    { status, contentType: "text/html; charset=UTF-8" }
  )

const faultResponses = ({ kind }: FaultCaller): FaultResponses => ({
  unauthorized: errorResponse(sitesearchError(kind === "user" ? "InvalidToken" : "InvalidApiKey")),
  forbidden: errorResponse(sitesearchError("NotAuthorized")),
  throttled: (headers) => errorResponse(sitesearchError("ThrottleUser"), headers),
  internal: json({ ErrorCode: 1, Message: "ERROR!!! InternalError" }, 500)
})
