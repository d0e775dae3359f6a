import { Effect, Option, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { randomUUID } from "node:crypto"
import { company } from "../../Data/Company.ts"
import { FaultInjection, type FaultResponses } from "../../Faults/FaultInjection.ts"
import { notFoundPage } from "../../HtmlPages.ts"
import { type Caller, Identity, signRefreshToken } from "../../Identity/Identity.ts"
import {
  type App,
  bearerToken,
  bodyText,
  type RequestTarget,
  requestTarget,
  type SandboxConnection
} from "../../Server/FakeProvider.ts"
import { makeMatcher, type Route } from "../../Server/Routes.ts"
import { selectFields } from "./FieldMask.ts"
import {
  type GoogleError,
  insufficientScope,
  internal,
  invalidArgument,
  invalidToken,
  missingToken,
  permissionDenied,
  rateLimited
} from "./GoogleError.ts"
import { readMessage } from "./ProtoJson.ts"

interface GoogleCall<Params, Query, Body> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly caller: Caller
  readonly fields: string | undefined
}

export interface GoogleMethod extends Route {
  readonly scopes: ReadonlyArray<string>
  readonly decode: (request: GoogleRequest) => Effect.Effect<DecodedRequest, GoogleError>
}

export interface GoogleRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly json: unknown
  readonly caller: Caller
}

interface DecodedRequest {
  readonly resource: string | undefined
  readonly response: Effect.Effect<unknown, GoogleError>
}

export const googleMethod = <Params, ParamsIn, Query, QueryIn, Body, BodyIn>(
  { body, method, params, path, query, resource, respond, scopes }: Route & {
    readonly scopes: ReadonlyArray<string>
    readonly params: Schema.Codec<Params, ParamsIn>
    readonly query: Schema.Codec<Query, QueryIn>
    readonly body: Schema.Codec<Body, BodyIn>
    readonly resource: (call: Pick<GoogleCall<Params, Query, Body>, "params" | "body">) => string | undefined
    readonly respond: (call: GoogleCall<Params, Query, Body>) => Effect.Effect<unknown, GoogleError>
  }
): GoogleMethod => {
  const decodeParams = Schema.decodeUnknownEffect(params)
  const readQuery = readMessage(query)
  const readBody = readMessage(body)
  return {
    method,
    path,
    scopes,
    decode: Effect.fnUntraced(function*(request) {
      const fields = request.query.get("fields") ?? undefined
      const call = {
        params: yield* Effect.orDie(decodeParams(request.params)),
        query: yield* Effect.fromResult(readQuery(methodParameters(request.query))),
        body: yield* Effect.fromResult(readBody(request.json)),
        caller: request.caller,
        fields
      }
      const whole = respond(call)
      return {
        resource: resource(call),
        response: fields === undefined ? whole : Effect.flatMap(whole, (value) => selectFields(fields, value))
      }
    })
  }
}

/** https://cloud.google.com/apis/docs/system-parameters */
const systemParameters: ReadonlySet<string> = new Set(
  "$.xgafv access_token alt callback fields key oauth_token prettyPrint quotaUser uploadType upload_protocol".split(" ")
)

export const googleApi = (
  service: string,
  methods: ReadonlyArray<GoogleMethod>
): Effect.Effect<App, never, Identity | FaultInjection> =>
  Effect.gen(function*() {
    const identity = yield* Identity
    const faultInjection = yield* FaultInjection
    const find = makeMatcher(methods)
    const faultResponses: FaultResponses = {
      unauthorized: toResponse(invalidToken),
      forbidden: toResponse(permissionDenied),
      throttled: (headers) => toResponse(rateLimited(service, headers)),
      internal: toResponse(internal)
    }

    const authenticate = Effect.fnUntraced(function*(request: HttpServerRequest.HttpServerRequest) {
      if (request.headers["authorization"] === undefined) return yield* missingToken
      const caller = yield* identity.verifyAccessToken("google", bearerToken(request) ?? "")
      return Option.isSome(caller) ? caller.value : yield* invalidToken
    })

    const respond = Effect.fnUntraced(function*(
      request: HttpServerRequest.HttpServerRequest,
      { path, query }: RequestTarget
    ) {
      const found = Option.getOrUndefined(find(request.method, path))
      if (found === undefined) return notFoundPage(path)
      const { params, route } = found
      const caller = yield* authenticate(request)
      yield* authorize(service, caller, route.scopes)
      const json = route.method === "GET" ? {} : yield* parse(yield* bodyText)
      const decoded = yield* route.decode({ params, json, caller, query })
      const faulty = yield* faultInjection.inject(decoded.resource, caller, faultResponses)
      if (Option.isSome(faulty)) return faulty.value
      return toJson(yield* decoded.response)
    })

    return Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      (request) => Effect.catch(respond(request, requestTarget(request)), (error) => Effect.succeed(toResponse(error)))
    )
  })

export const googleConnection = (provider: string, label: string, scope: string): SandboxConnection => ({
  provider,
  auth_type: "oauth",
  credentials: { refresh_token: signRefreshToken("google", { grant: randomUUID(), account: company.account, scope }) },
  label: `${company.name}: ${label}`,
  external_account: company.account,
  scopes: [scope]
})

const authorize = (service: string, { scope }: Caller, wanted: ReadonlyArray<string>) => {
  const granted = scope.split(" ")
  return wanted.some((name) => granted.includes(name)) ? Effect.void : Effect.fail(insufficientScope(service, wanted))
}

const parse = (text: string): Effect.Effect<unknown, GoogleError> =>
  text.trim() === ""
    ? Effect.succeed({})
    : Effect.try({
      try: (): unknown => JSON.parse(text),
      catch: () => invalidArgument("Invalid JSON payload received. Parsing terminated before end of input.")
    })

const methodParameters = (query: URLSearchParams): Readonly<Record<string, string | ReadonlyArray<string>>> =>
  Object.fromEntries(
    [...new Set(query.keys())].filter((name) => !systemParameters.has(name)).map((name) => {
      const values = query.getAll(name)
      return [name, values.length === 1 ? values[0] ?? "" : values]
    })
  )

export const contentType = "application/json; charset=UTF-8"

const toJson = (value: unknown) =>
  HttpServerResponse.isHttpServerResponse(value) ? value : HttpServerResponse.jsonUnsafe(value, { contentType })

const toResponse = ({ body, code, headers }: GoogleError) =>
  HttpServerResponse.jsonUnsafe(body, { status: code, contentType, ...(headers === undefined ? {} : { headers }) })
