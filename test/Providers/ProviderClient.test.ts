import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema } from "effect"
import * as fc from "fast-check"
import type { ToolCallError } from "../../src/Api/Errors.ts"
import { UpstreamError } from "../../src/Api/Errors/ProviderErrors.ts"
import { JsonText } from "../../src/Domain/Json/JsonText.ts"
import { errorDetails } from "../../src/Providers/ErrorDetails.ts"
import { ga4Endpoints, propertiesBatchRunReports } from "../../src/Providers/Ga4/Endpoints.ts"
import { ga4 } from "../../src/Providers/Ga4/Provider.ts"
import { searchanalyticsQuery } from "../../src/Providers/Gsc/Endpoints.ts"
import { gsc } from "../../src/Providers/Gsc/Provider.ts"
import { valuesAppend, valuesGet, valuesUpdate } from "../../src/Providers/Gsheets/Endpoints.ts"
import { gsheets } from "../../src/Providers/Gsheets/Provider.ts"
import type { Provider, RawEndpoint, RawInput } from "../../src/Providers/Provider.ts"
import { type Access, providerCalls, ProviderClient, withoutEchoes } from "../../src/Providers/ProviderClient.ts"
import { Upstream } from "../../src/Providers/Upstream.ts"
import { endpointUrl, upstreamUrl } from "../../src/Providers/UpstreamUrl.ts"
import { makeKnownSecretsRedactor } from "../../src/Secrets/Redaction/KnownSecrets.ts"
import { LoopbackUpstream, type Reply } from "../support/LoopbackUpstream.ts"
import { testAccess } from "../support/TestAccess.ts"
import { ClientOnLoopback, handle, spansOf } from "./ClientOnLoopback.ts"

const TOKEN = "ya29.first/with+odd=chars"
const RENEWED = "ya29.second"
const secrets = [TOKEN, RENEWED]

const connection = () => {
  const events: Array<string> = []
  const access = testAccess({
    secret: token(TOKEN),
    renew: (refused) =>
      Effect.suspend(() => {
        events.push(`renew ${Redacted.value(refused)}`)
        return token(RENEWED)
      }),
    expire: Effect.sync(() => {
      events.push("expire")
    })
  })
  return { access, events }
}

const echoOf = (secret: Redacted.Redacted) => ({ error: `Bad header Bearer ${Redacted.value(secret)}.` })

const token = (text: string): Effect.Effect<Redacted.Redacted> => Effect.succeed(Redacted.make(text))

const at = { path: { spreadsheetId: "1a", range: "Sheet1!A1" } }

const call = (
  { access = connection().access, endpoint = valuesGet, input = at, provider = gsheets }: {
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

const unauthenticated: Reply = {
  status: 401,
  body: { error: { code: 401, message: "Invalid credentials.", status: "UNAUTHENTICATED" } }
}
const denied: Reply = {
  status: 403,
  body: { error: { code: 403, message: "No permission\n here.", status: "PERMISSION_DENIED" } }
}

// Real sockets need the real clock.
layer(ClientOnLoopback, { excludeTestServices: true })("ProviderClient", (it) => {
  it.effect("sends JSON in UTF-8, an empty object where there is no body, and nothing with a GET", () =>
    Effect.gen(function*() {
      const loopback = yield* handle({ body: {} })
      yield* call({ endpoint: valuesAppend, input: { ...at, body: { values: [["é", 1, null]] } } })
      yield* call({ endpoint: valuesUpdate })
      yield* call()
      const type = "application/json; charset=UTF-8"
      assert.deepStrictEqual(loopback.requests.map(({ body, headers }) => [body, headers["content-type"]]), [
        ["{\"values\":[[\"é\",1,null]]}", type],
        ["{}", type],
        ["", undefined]
      ])
      assert.strictEqual(loopback.requests[0]?.headers.accept, "application/json")
    }))

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
      const request = { provider: gsheets, endpoint: valuesGet, input: {}, access: connection().access }
      assert.deepStrictEqual((yield* echoing.call(request)).value, [clean, clean])
      const error = yield* Effect.flip(echoing.call({ ...request, endpoint: valuesAppend }))
      assert.deepStrictEqual([error.message, error.details], [JSON.stringify([clean, clean]), clean])
    }))

  const renewal = `renew ${TOKEN}`
  it.effect.each<readonly [what: string, replies: Parameters<typeof handle>, code: string, says: string, ...string[]]>([
    ["a refusal", [denied], "upstream_error", "Spreadsheets answered 403: No permission here."],
    [
      "a question",
      [{ status: 400, body: { error: { message: "Did you mean A?" } } }],
      "upstream_error",
      "Spreadsheets answered 400: Did you mean A?"
    ],
    [
      "two tokens that are refused",
      [unauthenticated],
      "credentials_expired",
      "Spreadsheets no longer accepts this connection; reconnect it: Invalid credentials.",
      renewal,
      "expire"
    ],
    [
      "a refusal of the new token",
      [unauthenticated, denied],
      "upstream_error",
      "Spreadsheets answered 403: No permission here.",
      renewal
    ]
  ])("fails after %s, in words of the provider", ([, replies, code, says, ...expected]) =>
    Effect.gen(function*() {
      const loopback = yield* handle(...replies)
      const { access, events } = connection()
      const error = yield* failure(call({ access }))
      assert.deepStrictEqual([error.code, error.message, ...events], [code, says, ...expected])
      assert.lengthOf(loopback.requests, expected.length === 0 ? 1 : 2)
    }))

  it.effect.each([
    { reads: "by POST", endpoints: [searchanalyticsQuery], provider: gsc, input: { path: { siteUrl: "a" } }, sent: 2 },
    {
      reads: "of an Analytics property",
      endpoints: [...ga4Endpoints, propertiesBatchRunReports].filter(({ path }) => path.includes("{property}")),
      provider: ga4,
      input: { path: { property: "410000011" } },
      sent: 1
    }
  ])("sends reads $reads $sent times in an outage", ({ endpoints, input, provider, sent }) =>
    Effect.gen(function*() {
      assert.isNotEmpty(endpoints)
      for (const endpoint of endpoints) {
        const loopback = yield* handle({ status: 503, body: "" }, { body: {} })
        yield* Effect.exit(call({ endpoint, provider, input }))
        assert.strictEqual(loopback.requests.length, sent, endpoint.id)
      }
    }))

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
      const spans = yield* spansOf(failure(call({ input: { ...at, query: { q: "private" } } })))
      assert.deepStrictEqual(
        spans.map(({ attributes, name }) => [name, ...attributes]),
        [["ProviderClient.call", ["provider", "gsheets"], ["target", "raw:values.get"]]]
      )
    }))

  it.effect("gives a smart tool only the fields that it declares", () =>
    Effect.gen(function*() {
      yield* handle({ body: { values: ["a"], more: 1 } })
      const { call } = providerCalls((yield* ProviderClient).call, gsheets, connection().access)
      const Values = Schema.Struct({ values: Schema.Array(Schema.String) })
      assert.deepStrictEqual(yield* call(valuesGet, at, Values), { values: ["a"] })
    }))

  it.effect("parses for a smart tool no response that would take seconds", () =>
    Effect.gen(function*() {
      const { call } = providerCalls((yield* ProviderClient).call, gsheets, connection().access)
      for (const body of [nested(200_000), `[${"0,".repeat(4_000_000)}0]`]) {
        yield* handle({ body })
        const error = yield* Effect.flip(call(valuesGet, at, Schema.Unknown))
        assert.include(error.message, "unexpected body")
      }
    }))
})

const hidden = makeKnownSecretsRedactor([Redacted.make("hidden")])

const details = (json: string) => errorDetails(json, JsonText.trusted(json), hidden)

const nested = (levels: number) => `${"[".repeat(levels)}"hidden"${"]".repeat(levels)}`

describe("the details of a failure", () => {
  it("are the provider's JSON, or the beginning of another body", () => {
    assert.deepStrictEqual(details("{\"error\":{\"message\":\"hidden\"}}"), { error: { message: "[redacted]" } })
    assert.deepStrictEqual(errorDetails(`<p>hidden${"x".repeat(5000)}`, undefined, hidden), {
      body: `<p>[redacted]${"x".repeat(1987)}`
    })
  })

  it("are the beginning of JSON that is nested too deeply to be redacted", () => {
    assert.deepStrictEqual(JSON.stringify(details(nested(200))), nested(200).replace("hidden", "[redacted]"))
    for (const levels of [201, 100_000]) {
      assert.deepStrictEqual(details(nested(levels)), {
        body: nested(levels).replace("hidden", "[redacted]").slice(0, 2000)
      })
    }
  })
})

const BASE = "https://sheets.googleapis.com"

const urlOf = (input: RawInput, template = "/v1/{name}/children", base = BASE) => {
  const { origin, path } = endpointUrl(upstreamUrl(base), template, input)
  return origin + path
}

describe("the URL of an endpoint", () => {
  it.each<readonly [what: string, query: NonNullable<RawInput["query"]>, text: string]>([
    [
      "repeats the key of an array and omits undefined values",
      { ranges: ["A1", "B 2"], includeGridData: false, fields: undefined, pageSize: 3, none: [] },
      "ranges=A1&ranges=B%202&includeGridData=false&pageSize=3"
    ],
    ["encodes keys and values of the query", { "a&b": "c=d+e#'" }, "a%26b=c%3Dd%2Be%23%27"]
  ])("%s", (_, query, text) => assert.strictEqual(urlOf({ query }, "/x"), `${BASE}/x?${text}`))

  it("keeps the path of the configured base", () => {
    assert.strictEqual(
      urlOf({ path: { name: "a/b" } }, "/v1/{name}", "http://127.0.0.1:8080/proxy"),
      "http://127.0.0.1:8080/proxy/v1/a%2Fb"
    )
  })

  it("refuses a value that would leave the template, and a placeholder without a value", () => {
    for (const name of [".", ".."]) assert.throws(() => urlOf({ path: { name } }), "would leave")
    assert.throws(() => urlOf({ path: { id: "1" } }), "{name}")
  })

  const hostile = ["Sheet1!A1:B2", "https://a.example/a?b=c#d", "../../v1/secrets", "%2e%2e", "..\\..", "a\r\nb\0"]

  it("has any value as one segment or parameter, and stays on its origin", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (value) => {
        fc.pre(value !== "." && value !== "..")
        const { origin, pathname, searchParams } = new URL(urlOf({ path: { name: value }, query: { q: value } }))
        assert.strictEqual(origin, BASE)
        assert.deepStrictEqual(pathname.split("/").map(decodeURIComponent), ["", "v1", value, "children"])
        assert.strictEqual(searchParams.get("q"), value)
      }),
      { examples: hostile.map((value) => [value]) }
    )
    assert.strictEqual(urlOf({ path: { name: "\ud800" } }), `${BASE}/v1/%EF%BF%BD/children`)
  })
})
