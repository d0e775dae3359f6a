import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, Result } from "effect"
import { validator } from "../../src/Domain/Validation/Validation.ts"
import { ProviderHttp } from "../../src/Outbound/UndiciHttpClient.ts"
import { ga4 } from "../../src/Providers/Ga4/Provider.ts"
import { gdocs } from "../../src/Providers/Gdocs/Provider.ts"
import { gsc } from "../../src/Providers/Gsc/Provider.ts"
import { gsheets } from "../../src/Providers/Gsheets/Provider.ts"
import type { Provider } from "../../src/Providers/Provider.ts"
import { type Access, ProviderClient } from "../../src/Providers/ProviderClient.ts"
import { Quotas } from "../../src/Providers/Quotas/Quotas.ts"
import { Upstream } from "../../src/Providers/Upstream.ts"
import { discovery } from "../support/Discovery.ts"
import { type EndpointCalls, officialParameters } from "../support/EndpointCalls.ts"
import { googleCalls } from "../support/GoogleCalls.ts"
import { LoopbackUpstream, type Recorded } from "../support/LoopbackUpstream.ts"
import { providerDocuments } from "../support/OutsideFolder.ts"

const providers = [gsc, ga4, gsheets, gdocs]

const access: Access = {
  authType: "oauth",
  ownsFiles: Effect.succeed(true),
  secret: Effect.succeed(Redacted.make("ya29.token")),
  renew: () => Effect.die("No request returns 401 here"),
  expire: Effect.void
}

const decoded = ({ endpoint }: EndpointCalls, input: unknown) =>
  Result.getOrThrowWith(validator(endpoint.input)(input), (issues) => new Error(JSON.stringify(issues)))

const providerOf = (calls: EndpointCalls): Effect.Effect<Provider> =>
  Effect.fromNullishOr(providers.find(({ endpoints }) => endpoints.includes(calls.endpoint))).pipe(Effect.orDie)

const requestOfService = Effect.fnUntraced(function*(calls: EndpointCalls, input: unknown) {
  const loopback = yield* LoopbackUpstream
  const client = yield* ProviderClient
  const provider = yield* providerOf(calls)
  loopback.handle(() => ({ body: {} }))
  yield* client.call({ provider, endpoint: calls.endpoint, input: decoded(calls, input), access })
  return yield* only(loopback.requests, `/${calls.origin}`)
})

const requestOfGoogleClient = Effect.fnUntraced(function*(calls: EndpointCalls, input: unknown) {
  const loopback = yield* LoopbackUpstream
  loopback.handle(() => ({ body: {} }))
  yield* Effect.promise(() =>
    calls.official(`${loopback.url}/`, officialParameters(calls.endpoint, decoded(calls, input)))
  )
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

const TestLayer = ProviderClient.layer.pipe(
  Layer.provide(Quotas.layerOff),
  Layer.provide(Upstream.layer),
  Layer.provide(ProviderHttp.layer),
  Layer.provideMerge(LoopbackUpstream.originsLayer),
  Layer.provideMerge(LoopbackUpstream.layer)
)

describe("Google providers", () => {
  it("every endpoint has a contract test", () => {
    assert.sameMembers(
      googleCalls.map(({ endpoint }) => endpoint),
      providers.flatMap(({ endpoints }) => endpoints)
    )
  })

  // Real sockets need the real clock.
  layer(TestLayer, { excludeTestServices: true })((it) => {
    for (const calls of googleCalls) {
      it.effect.skipIf(providerDocuments.isAbsent)(
        `${calls.method}: Google accepts the request and reads the same input${providerDocuments.absence}`,
        () =>
          Effect.gen(function*() {
            const google = discovery(calls.origin)
            for (const input of calls.inputs) {
              const { body = {}, path = {}, query = {} } = decoded(calls, input)
              const sent = yield* requestOfService(calls, input)
              const read = google.read(sent)
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

      it.effect(`${calls.method}: sends the same request as Google's own client`, () =>
        Effect.gen(function*() {
          for (const input of calls.inputs) {
            const ours = yield* requestOfService(calls, input)
            const theirs = yield* requestOfGoogleClient(calls, input)
            assert.deepStrictEqual(normalize(ours), normalize(theirs))
          }
        }))

      it.skipIf(providerDocuments.isAbsent)(
        `${calls.method}: lists the scopes that Google accepts${providerDocuments.absence}`,
        () => {
          const method = discovery(calls.origin).methods.find(({ id }) => id === calls.method)
          assert.sameMembers([...calls.endpoint.scopes], [...method?.scopes ?? []])
        }
      )
    }
  })
})

const resourceNames: Record<string, (value: string) => string> = {
  "analyticsdata.properties.runReport": (id) => `properties/${id}`,
  "analyticsdata.properties.runRealtimeReport": (id) => `properties/${id}`,
  "analyticsdata.properties.getMetadata": (id) => `properties/${id}/metadata`
}

const pairs = (query: object) =>
  Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => [name, String(each)] as const)
  )
