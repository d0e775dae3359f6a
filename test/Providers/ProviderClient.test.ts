import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema, Tracer } from "effect"
import { type ProviderCallError, type ToolCallError } from "../../src/Api/Errors.ts"
import { UpstreamError } from "../../src/Api/Errors/ProviderErrors.ts"
import type { AuthType } from "../../src/Domain/Connection.ts"
import { JsonText } from "../../src/Domain/Json/JsonText.ts"
import { ga4Endpoints, propertiesBatchRunReports } from "../../src/Providers/Ga4/Endpoints.ts"
import { ga4 } from "../../src/Providers/Ga4/Provider.ts"
import { gdocs } from "../../src/Providers/Gdocs/Provider.ts"
import { googleApi } from "../../src/Providers/Google/GoogleApi.ts"
import { gsheets as spreadsheets } from "../../src/Providers/Gsheets/Provider.ts"
import type { Origin } from "../../src/Providers/Origins.ts"
import { endpoint, type Provider, type RawEndpoint, type RawInput } from "../../src/Providers/Provider.ts"
import { type Access, providerCalls, ProviderClient, withoutEchoes } from "../../src/Providers/ProviderClient.ts"
import { Upstream } from "../../src/Providers/Upstream.ts"
import { LoopbackUpstream, type Reply } from "../support/LoopbackUpstream.ts"
import { ClientOnLoopback } from "./ClientOnLoopback.ts"

const row = (method: RawEndpoint["method"], writes: boolean, origin: Origin) =>
  endpoint({
    id: "values.something",
    description: "…",
    method,
    origin,
    path: "/v4/spreadsheets/{spreadsheetId}/values/{range}:do",
    writes,
    scopes: [],
    input: Schema.Unknown.pipe(
      Schema.decodeTo(Schema.declare((input): input is RawInput => typeof input === "object"))
    ),
    resources: "none"
  })

const originOf = ({ endpoints: [first] }: Provider): Origin => {
  if (first === undefined) return assert.fail("A provider without endpoints")
  return first.origin
}
const sheetsOrigin = originOf(spreadsheets)

const reading = row("GET", false, sheetsOrigin)
const querying = row("POST", false, sheetsOrigin)
const writing = row("POST", true, sheetsOrigin)

const gsheets: Provider = { ...spreadsheets, ...googleApi, endpoints: [], tools: [] }

const TOKEN = "ya29.first/with+odd=chars"
const RENEWED = "ya29.second"
const KEY = "0123456789abcdef&"
const secrets = [TOKEN, RENEWED, KEY]

const connection = (
  authType: AuthType,
  renewal: Effect.Effect<Redacted.Redacted, ProviderCallError> = token(RENEWED)
) => {
  const events: Array<string> = []
  const access: Access = {
    authType,
    ownsFiles: Effect.succeed(true),
    secret: token(authType === "api_key" ? KEY : TOKEN),
    renew: (refused) =>
      Effect.suspend(() => {
        events.push(`renew ${Redacted.value(refused)}`)
        return renewal
      }),
    expire: Effect.sync(() => {
      events.push("expire")
    })
  }
  return { access, events }
}

const echoOf = (secret: Redacted.Redacted) => ({ error: `Bad header Bearer ${Redacted.value(secret)}.` })

const token = (text: string): Effect.Effect<Redacted.Redacted> => Effect.succeed(Redacted.make(text))

const at: RawInput = { path: { spreadsheetId: "1a", range: "Sheet1!A1" } }

const call = (
  { access = connection("oauth").access, endpoint = reading, input = at, provider = gsheets }: {
    readonly access?: Access
    readonly endpoint?: RawEndpoint
    readonly input?: RawInput
    readonly provider?: Provider
  } = {}
) => Effect.flatMap(ProviderClient, (client) => client.call({ access, endpoint, input, provider }))

const failure = <R>(effect: Effect.Effect<unknown, ToolCallError, R>) =>
  Effect.map(Effect.flip(effect), (error) => {
    for (const secret of secrets) assert.notInclude(JSON.stringify([error.message, error.details]), secret)
    return error
  })

const handle = (...replies: readonly [Reply, ...ReadonlyArray<Reply>]) =>
  Effect.map(LoopbackUpstream, (loopback) => {
    loopback.handle(() => replies[loopback.requests.length - 1] ?? replies[0])
    return loopback
  })

const unauthenticated: Reply = {
  status: 401,
  body: { error: { code: 401, message: "Invalid credentials.", status: "UNAUTHENTICATED" } }
}
const denied: Reply = {
  status: 403,
  body: { error: { code: 403, message: "No permission.", status: "PERMISSION_DENIED" } }
}

// Real sockets need the real clock.
layer(ClientOnLoopback, { excludeTestServices: true })("ProviderClient", (it) => {
  describe("the request", () => {
    it.effect("goes to the origin of the endpoint's row, with the path encoded and the query repeated", () =>
      Effect.gen(function*() {
        const loopback = yield* handle({ body: {} })
        yield* call({
          input: {
            path: { spreadsheetId: "a/b?c#d", range: "'My (tab)'!A1:B2" },
            query: { ranges: ["A1", "B2"], majorDimension: "ROWS", fields: undefined }
          }
        })
        assert.strictEqual(
          loopback.requests[0]?.url,
          "/gsheets/v4/spreadsheets/a%2Fb%3Fc%23d/values/%27My%20%28tab%29%27%21A1%3AB2:do?ranges=A1&ranges=B2&majorDimension=ROWS"
        )
        yield* call({ endpoint: row("GET", false, originOf(gdocs)) })
        assert.match(loopback.requests[1]?.url ?? "", /^\/gdocs\//)
      }))

    it.effect("carries its body as JSON, an empty object where there is none, and a GET carries nothing", () =>
      Effect.gen(function*() {
        const loopback = yield* handle({ body: {} })
        yield* call({ endpoint: writing, input: { ...at, body: { values: [["é", 1, null]] } } })
        yield* call({ endpoint: row("PUT", true, sheetsOrigin) })
        yield* call({ endpoint: reading })
        const [post, put, get] = loopback.requests
        assert.strictEqual(post?.body, "{\"values\":[[\"é\",1,null]]}")
        assert.strictEqual(post?.headers["content-type"], "application/json; charset=UTF-8")
        assert.strictEqual(post?.headers.accept, "application/json")
        assert.deepStrictEqual([put?.method, put?.body], ["PUT", "{}"])
        assert.deepStrictEqual([get?.method, get?.body, get?.headers["content-type"]], ["GET", "", undefined])
      }))
  })

  describe("the answer", () => {
    it.effect("with an error keeps the provider's status, body and Retry-After", () =>
      Effect.gen(function*() {
        const body = {
          error: { code: 429, message: "Quota exceeded for\n quota metric.", status: "RESOURCE_EXHAUSTED" }
        }
        yield* handle({ status: 429, headers: { "retry-after": "30" }, body })
        const error = yield* failure(call())
        assert.deepStrictEqual([error.code, error.status, error.retryAfter], ["upstream_error", 429, "30"])
        assert.deepStrictEqual(error.details, body)
        assert.strictEqual(error.message, "Spreadsheets answered 429: Quota exceeded for quota metric.")
      }))
  })

  it.effect("a team's own client that repeats a token returns and fails without it", () =>
    Effect.gen(function*() {
      const echoing: ProviderClient["Service"] = withoutEchoes({
        call: ({ access, endpoint }) =>
          Effect.gen(function*() {
            const refused = yield* access.secret
            const renewed = yield* access.renew(refused)
            const both = JsonText.stringify([echoOf(refused), echoOf(renewed)])
            if (!endpoint.writes) return both
            return yield* new UpstreamError({ status: 400, message: both.text, details: echoOf(renewed) })
          })
      })
      const clean = { error: "Bad header Bearer [redacted]." }
      const request = { provider: gsheets, endpoint: reading, input: {}, access: connection("oauth").access }
      assert.deepStrictEqual((yield* echoing.call(request)).value, [clean, clean])
      const error = yield* Effect.flip(echoing.call({ ...request, endpoint: writing }))
      assert.deepStrictEqual([error.message, error.details], [JSON.stringify([clean, clean]), clean])
    }))

  describe("a 401", () => {
    it.effect("with a new token too expires the connection, and followed by another error fails with that one", () =>
      Effect.gen(function*() {
        const loopback = yield* handle(unauthenticated)
        const refused = connection("oauth")
        const expired = yield* failure(call({ access: refused.access }))
        assert.deepStrictEqual([expired.code, expired.status], ["credentials_expired", 401])
        assert.strictEqual(
          expired.message,
          "Spreadsheets no longer accepts this connection; reconnect it: Invalid credentials."
        )
        assert.deepStrictEqual(refused.events, [`renew ${TOKEN}`, "expire"])
        assert.lengthOf(loopback.requests, 2)
        yield* handle(unauthenticated, denied)
        const { access, events } = connection("oauth")
        assert.strictEqual((yield* failure(call({ access }))).code, "upstream_error")
        assert.deepStrictEqual(events, [`renew ${TOKEN}`])
      }))
  })

  describe("an outage", () => {
    it.effect("is retried for a read, whatever its method", () =>
      Effect.gen(function*() {
        for (const endpoint of [reading, querying]) {
          const loopback = yield* handle({ status: 503 }, { body: {} })
          yield* call({ endpoint })
          assert.strictEqual(loopback.requests.length, 2)
        }
      }))

    it.effect("is the error of a read of an Analytics property, which is sent once", () =>
      Effect.gen(function*() {
        const reads = [...ga4Endpoints, propertiesBatchRunReports].filter(({ path }) => path.includes("{property}"))
        assert.lengthOf(reads, 4)
        for (const endpoint of reads) {
          const loopback = yield* handle({ status: 503, body: "" })
          const error = yield* failure(call({ endpoint, provider: ga4, input: { path: { property: "410000011" } } }))
          assert.deepStrictEqual([error.code, error.status], ["upstream_error", 503])
          assert.strictEqual(loopback.requests.length, 1, endpoint.id)
        }
      }))
  })

  it.effect("a call has one deadline, also with a refresh of the token", () => {
    const deadlines: Array<number | undefined> = []
    const upstream = Upstream.of({
      deadline: Effect.sync(() => 1000 + deadlines.length),
      exchange: ({ deadline }) =>
        Effect.sync(() => {
          deadlines.push(deadline)
          return { status: 401, headers: {}, text: "{}", json: JsonText.trusted("{}") }
        })
    })
    return Effect.gen(function*() {
      yield* failure(call())
      assert.deepStrictEqual(deadlines, [1000, 1000])
    }).pipe(Effect.provide(
      Layer.fresh(ProviderClient.layer).pipe(
        Layer.provide(Layer.succeed(Upstream, upstream)),
        Layer.provide(LoopbackUpstream.originsLayer)
      )
    ))
  })

  it.effect("a span has the provider and the operation, and no input", () =>
    Effect.gen(function*() {
      yield* handle({ status: 400, body: { error: { message: "No." } } })
      const spans: Array<Tracer.NativeSpan> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      yield* failure(call({ input: { ...at, query: { q: "private" } } }).pipe(Effect.withTracer(tracer)))
      assert.deepStrictEqual(
        spans.map(({ attributes, name }) => [name, ...attributes]),
        [["ProviderClient.call", ["provider", "gsheets"], ["target", "raw:values.something"]]]
      )
    }))

  describe("a smart tool's call", () => {
    const Values = Schema.Struct({ values: Schema.Array(Schema.String) })
    const calls = (access: Access) =>
      Effect.map(ProviderClient, (client) => providerCalls(client.call, gsheets, access).call(reading, at, Values))

    it.effect("returns only the fields that the tool declares", () =>
      Effect.gen(function*() {
        yield* handle({ body: { values: ["a"], more: 1 } })
        assert.deepStrictEqual(yield* yield* calls(connection("oauth").access), { values: ["a"] })
      }))
  })
})
