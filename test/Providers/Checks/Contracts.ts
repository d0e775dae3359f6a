import { assert } from "@effect/vitest"
import { Effect, Option, Result, Schema } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import { authTypesOf, type RawEndpoint, type RawInput } from "../../../src/Providers/Provider.ts"
import { ProviderClient } from "../../../src/Providers/ProviderClient.ts"
import { discovery } from "../../support/Discovery.ts"
import { type EndpointCalls, officialParameters } from "../../support/EndpointCalls.ts"
import { googleCalls } from "../../support/GoogleCalls.ts"
import { LoopbackUpstream, type Recorded } from "../../support/LoopbackUpstream.ts"
import { providerDocuments } from "../../support/OutsideFolder.ts"
import { testAccess } from "../../support/TestAccess.ts"
import { accessBy, apiKey, callSitesearch } from "../Sitesearch/FakeSitesearch.ts"
import type { Check, EndpointOperation, Operation } from "./Check.ts"

const decoded = (endpoint: RawEndpoint, input: unknown): RawInput =>
  Result.getOrThrowWith(validator(endpoint.input)(input), (issues) => new Error(JSON.stringify(issues)))

/** The one request that is sent, from its origin on. */
const requestOf = Effect.fnUntraced(
  function*<E, R>(prefix: string, send: (url: string) => Effect.Effect<unknown, E, R>) {
    const { handle, requests, url } = yield* LoopbackUpstream
    handle(() => ({ body: {} }))
    yield* send(url)
    const [request, ...others] = requests
    if (request === undefined || others.length > 0 || !request.url.startsWith(prefix)) {
      return yield* Effect.die("Expected one request to the origin")
    }
    return { ...request, url: request.url.slice(prefix.length) }
  }
)

const requestOfService = ({ endpoint, provider }: EndpointOperation, { origin }: EndpointCalls, input: RawInput) =>
  requestOf(
    `/${origin}`,
    () => Effect.flatMap(ProviderClient, ({ call }) => call({ provider, endpoint, input, access: testAccess() }))
  )

/** Ignores the order of query parameters and the formatting of JSON. */
const normalize = ({ body, method, url }: Recorded) => {
  const { pathname, searchParams } = new URL(url, "http://upstream")
  return {
    method,
    path: pathname.split("/").map(decodeURIComponent),
    query: [...searchParams].toSorted(([one], [other]) => one.localeCompare(other)),
    body: body === "" ? undefined : JSON.parse(body)
  }
}

const resourceNames: Record<string, (value: string) => string> = {
  "analyticsdata.properties.runReport": (id) => `properties/${id}`,
  "analyticsdata.properties.runRealtimeReport": (id) => `properties/${id}`,
  "analyticsdata.properties.getMetadata": (id) => `properties/${id}/metadata`
}

const pairs = (query: object) =>
  Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => [name, String(each)] as const)
  )

/** Of an endpoint of Google. Each one has calls. */
const ofGoogle = (
  check: (operation: EndpointOperation, calls: EndpointCalls) => ReturnType<Check["of"]>
): Check["of"] =>
(operation: Operation) => {
  if ("tool" in operation || operation.provider.id === "sitesearch") return undefined
  const calls = googleCalls.find(({ endpoint }) => endpoint === operation.endpoint)
  return calls === undefined ? Effect.die("The endpoint has no calls") : check(operation, calls)
}

/** With each of its inputs, and the request of the service for it. */
const ofInputs = (
  check: (calls: EndpointCalls, input: RawInput, ours: Recorded) => Effect.Effect<void, unknown, LoopbackUpstream>
) =>
  ofGoogle((operation, calls) =>
    Effect.forEach(calls.inputs, (each) => {
      const input = decoded(calls.endpoint, each)
      return Effect.flatMap(requestOfService(operation, calls, input), (ours) => check(calls, input, ours))
    }, { discard: true })
  )

const { absence } = providerDocuments

export const googleChecks: ReadonlyArray<Check> = [
  {
    says: "Google accepts the request and reads the same input",
    absence,
    of: ofInputs((calls, input, ours) =>
      Effect.sync(() => {
        const { body = {}, path = {}, query = {} } = input
        const read = discovery(calls.origin).read(ours)
        assert.deepStrictEqual(read?.faults, [])
        assert.strictEqual(read?.id, calls.method)
        assert.deepStrictEqual(read?.body, calls.endpoint.method === "GET" ? undefined : body)
        assert.sameDeepMembers(
          Object.values(read?.path ?? {}),
          Object.values(path).map((value) => resourceNames[calls.method]?.(value) ?? value)
        )
        assert.sameDeepMembers([...read?.query ?? []], pairs(query))
      })
    )
  },
  {
    says: "sends the same request as Google's own client",
    of: ofInputs(({ endpoint, official }, input, ours) =>
      Effect.gen(function*() {
        const theirs = yield* requestOf("", (url) =>
          Effect.promise(() => official(`${url}/`, officialParameters(endpoint, input))))
        assert.deepStrictEqual(normalize(ours), normalize(theirs))
      })
    )
  },
  {
    says: "lists the scopes that Google accepts",
    absence,
    of: ofGoogle(({ endpoint }, { method, origin }) =>
      Effect.sync(() => {
        const documented = discovery(origin).methods.find(({ id }) => id === method)
        assert.sameMembers([...endpoint.scopes], [...documented?.scopes ?? []])
      })
    )
  }
]

export const sitesearchChecks: ReadonlyArray<Check> = [
  {
    says: "the provider reads the input unchanged, with each kind of credentials",
    of: (operation) =>
      "tool" in operation || operation.provider.id !== "sitesearch" ? undefined : Effect.gen(function*() {
        const { endpoint, inputs, provider } = operation
        const loopback = yield* LoopbackUpstream
        for (const authType of authTypesOf(provider)) {
          for (const input of inputs) {
            loopback.handle((request) => ({ body: { d: [readRequest(request, "/sitesearch")] } }))
            const answer = yield* callSitesearch(endpoint, input, accessBy(authType))
            const { body, query = body } = Object(input)
            assert.deepStrictEqual(answer.value, { d: [{ method: endpoint.id, parameters: query ?? {} }] })
            const [request] = loopback.requests
            assert.strictEqual(request?.headers.authorization, authType === "oauth" ? "Bearer first" : undefined)
            assert.strictEqual(request?.url.endsWith(`apikey=${apiKey}`), authType === "api_key")
          }
        }
      })
  },
  {
    says: "accepts either scope to read and only webmaster.manage to write",
    of: (operation) =>
      "tool" in operation || operation.provider.id !== "sitesearch" ? undefined : Effect.sync(() => {
        const { scopes, writes } = operation.endpoint
        assert.deepStrictEqual(scopes, writes ? ["webmaster.manage"] : ["webmaster.read", "webmaster.manage"])
      })
  }
]

export type ReadResult =
  | { readonly method: string; readonly parameters: Readonly<Record<string, unknown>> }
  | { readonly refusal: string }

interface Signature {
  readonly verb: "GET" | "POST"
  readonly required: ReadonlyArray<string>
  readonly optional?: ReadonlyArray<string>
}

const siteMethod: Signature = { verb: "GET", required: ["siteUrl"] }

const signatures = new Map<string, Signature>([
  ["GetUserSites", { verb: "GET", required: [] }],
  ["GetQueryStats", siteMethod],
  ["GetPageStats", siteMethod],
  ["GetRankAndTrafficStats", siteMethod],
  ["GetQueryPageStats", { verb: "GET", required: ["siteUrl", "query"] }],
  ["GetPageQueryStats", { verb: "GET", required: ["siteUrl", "page"] }],
  ["GetQueryTrafficStats", { verb: "GET", required: ["siteUrl", "query"] }],
  ["GetCrawlStats", siteMethod],
  ["GetCrawlIssues", siteMethod],
  ["GetFeeds", siteMethod],
  ["GetUrlSubmissionQuota", siteMethod],
  ["GetKeywordStats", { verb: "GET", required: ["q"], optional: ["country", "language"] }],
  ["SubmitUrl", { verb: "POST", required: ["siteUrl", "url"] }],
  ["SubmitUrlBatch", { verb: "POST", required: ["siteUrl", "urlList"] }]
])

/** `prefix` precedes the provider's path. */
export const readRequest = ({ body, headers, method, url }: Recorded, prefix: string): ReadResult => {
  const { pathname, searchParams } = new URL(url, "http://provider.invalid")
  const called = pathname.startsWith(`${prefix}${root}`) ? pathname.slice(prefix.length + root.length) : ""
  const signature = signatures.get(called)
  if (signature === undefined) return { refusal: `404: there is nothing at ${pathname}` }
  if (signature.verb !== method) return { refusal: `405: ${called} is a ${signature.verb}` }

  const query = [...searchParams]
  const repeated = query.find(([name], at) => query.findIndex(([other]) => other === name) < at)
  if (repeated !== undefined) return { refusal: `${repeated[0]} is there twice` }
  const keys = query.filter(([name]) => name === "apikey")
  if (keys.length + (headers.authorization === undefined ? 0 : 1) !== 1) return { refusal: "one credential is due" }
  if (headers.authorization !== undefined && !/^Bearer \S+$/.test(headers.authorization)) {
    return { refusal: "the credential is no bearer token" }
  }

  const inQuery = query.filter(([name]) => name !== "apikey")
  if (method === "GET" && body !== "") return { refusal: "a GET has no body" }
  if (method === "POST" && inQuery.length > 0) return { refusal: "the parameters of a POST are in its body" }
  if (method === "POST" && !/^application\/json;? *(charset=utf-8)?$/i.test(headers["content-type"] ?? "")) {
    return { refusal: "the body is not said to be JSON" }
  }
  const parameters = method === "GET" ? readQuery(inQuery) : readBody(body)
  if (parameters === undefined) return { refusal: "the parameters are not what a JSON parser reads" }
  const missing = signature.required.find((name) => !Object.hasOwn(parameters, name))
  if (missing !== undefined) return { refusal: `${missing} is missing` }
  const unknown = Object.keys(parameters)
    .find((name) => !signature.required.includes(name) && !(signature.optional ?? []).includes(name))
  if (unknown !== undefined) return { refusal: `${unknown} is no parameter of ${called}` }
  const odd = Object.entries(parameters).find(([name, value]) => !fits(name, value))
  return odd === undefined ? { method: called, parameters } : { refusal: `${odd[0]} has the wrong type or size` }
}

const root = "/webmaster/api.svc/json/"

/** Like .NET's `JsonQueryStringConverter`, reads a value that starts with a double quote as a JSON string. */
const readQuery = (query: ReadonlyArray<readonly [string, string]>): Readonly<Record<string, unknown>> | undefined => {
  const read = query.map(([name, value]) => [name, /^[\s\u0085]*"/.test(value) ? parsed(value) : value] as const)
  return read.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(read)
}

const readBody = (body: string): Readonly<Record<string, unknown>> | undefined =>
  Option.getOrUndefined(Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.Unknown))(parsed(body)))

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isUrl = (value: unknown): boolean => typeof value === "string" && /^https?:\/\/./i.test(value)

const fits = (name: string, value: unknown): boolean => {
  switch (name) {
    case "url":
      return isUrl(value)
    case "urlList":
      return Array.isArray(value) && value.length >= 1 && value.length <= 500 && value.every(isUrl)
    default:
      return typeof value === "string" && value.trim() !== ""
  }
}
