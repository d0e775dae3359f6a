import { assert } from "@effect/vitest"
import { Effect, Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import { authTypesOf, type RawEndpoint, type RawInput } from "../../../src/Providers/Provider.ts"
import { ProviderClient } from "../../../src/Providers/ProviderClient.ts"
import { discovery } from "../../support/Discovery.ts"
import { type EndpointCalls, officialParameters } from "../../support/EndpointCalls.ts"
import { googleCalls } from "../../support/GoogleCalls.ts"
import { LoopbackUpstream, type Recorded } from "../../support/LoopbackUpstream.ts"
import { providerDocuments } from "../../support/OutsideFolder.ts"
import { readRequest } from "../../support/SitesearchReference.ts"
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
