import { assert } from "@effect/vitest"
import { Effect, Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import type { RawEndpoint, RawInput } from "../../../src/Providers/Provider.ts"
import { ProviderClient } from "../../../src/Providers/ProviderClient.ts"
import { discovery } from "../../support/Discovery.ts"
import { type EndpointCalls, officialParameters } from "../../support/EndpointCalls.ts"
import { googleCalls } from "../../support/GoogleCalls.ts"
import { LoopbackUpstream, type Recorded } from "../../support/LoopbackUpstream.ts"
import { providerDocuments } from "../../support/OutsideFolder.ts"
import { testAccess } from "../../support/TestAccess.ts"
import type { Check, EndpointOperation, Operation } from "./Check.ts"

const decoded = (endpoint: RawEndpoint, input: unknown): RawInput =>
  Result.getOrThrowWith(validator(endpoint.input)(input), (issues) => new Error(JSON.stringify(issues)))

const requestOfService = Effect.fnUntraced(
  function*({ endpoint, provider }: EndpointOperation, { origin }: EndpointCalls, input: RawInput) {
    const loopback = yield* LoopbackUpstream
    const client = yield* ProviderClient
    loopback.handle(() => ({ body: {} }))
    yield* client.call({ provider, endpoint, input, access: testAccess() })
    return yield* only(loopback.requests, `/${origin}`)
  }
)

const requestOfGoogleClient = Effect.fnUntraced(function*({ endpoint, official }: EndpointCalls, input: RawInput) {
  const loopback = yield* LoopbackUpstream
  loopback.handle(() => ({ body: {} }))
  yield* Effect.promise(() => official(`${loopback.url}/`, officialParameters(endpoint, input)))
  return yield* only(loopback.requests, "")
})

const only = ([request, ...others]: ReadonlyArray<Recorded>, prefix: string) => {
  if (request === undefined || others.length > 0 || !request.url.startsWith(prefix)) {
    return Effect.die("Expected one request to the origin")
  }
  return Effect.succeed({ ...request, url: request.url.slice(prefix.length) })
}

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

const { absence } = providerDocuments

export const googleChecks: ReadonlyArray<Check> = [
  {
    says: "Google accepts the request and reads the same input",
    absence,
    of: ofGoogle((operation, calls) =>
      Effect.gen(function*() {
        for (const each of calls.inputs) {
          const input = decoded(calls.endpoint, each)
          const { body = {}, path = {}, query = {} } = input
          const read = discovery(calls.origin).read(yield* requestOfService(operation, calls, input))
          assert.deepStrictEqual(read?.faults, [])
          assert.strictEqual(read?.id, calls.method)
          assert.deepStrictEqual(read?.body, calls.endpoint.method === "GET" ? undefined : body)
          assert.sameDeepMembers(
            Object.values(read?.path ?? {}),
            Object.values(path).map((value) => resourceNames[calls.method]?.(value) ?? value)
          )
          assert.sameDeepMembers([...read?.query ?? []], pairs(query))
        }
      })
    )
  },
  {
    says: "sends the same request as Google's own client",
    of: ofGoogle((operation, calls) =>
      Effect.gen(function*() {
        for (const each of calls.inputs) {
          const input = decoded(calls.endpoint, each)
          const ours = yield* requestOfService(operation, calls, input)
          const theirs = yield* requestOfGoogleClient(calls, input)
          assert.deepStrictEqual(normalize(ours), normalize(theirs))
        }
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
