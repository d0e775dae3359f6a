import { assert, layer } from "@effect/vitest"
import { Effect, Predicate, Schema } from "effect"
import * as fc from "fast-check"
import { jsonSchemaOf } from "../../src/Providers/Catalog/JsonSchema.ts"
import { propertiesBatchRunReports } from "../../src/Providers/Ga4/Endpoints.ts"
import { documentsGet } from "../../src/Providers/Gdocs/Endpoints.ts"
import { google } from "../../src/Providers/Google/IdentityProvider.ts"
import type { Provider } from "../../src/Providers/Provider.ts"
import { providers } from "../../src/Registrations.ts"
import { type Call, nameOf, reads, writes } from "../Service/EveryOperation.ts"
import { type Answer, errorIn } from "../support/Answer.ts"
import { arbitraryInput } from "../support/ArbitraryInput.ts"
import { hostileText } from "../support/Hostile.ts"
import type { Handler } from "../support/LoopbackUpstream.ts"
import { keyFile } from "../support/ServiceAccountFile.ts"
import { expiredGrant, freshGrant, seed, TestServer } from "../support/TestServer.ts"
import { type Arrival, baseUrl, EgressServer, endpointOf, Outside, queryNames } from "./Egress.ts"

const apiKey = "0123456789abcdef0123456789abcdef"

const connectAll = Effect.gen(function*() {
  const { connect, readWrite } = yield* seed({ credentials: freshGrant("gsc") })
  for (const { id } of providers) {
    if (id === "gsc") continue
    yield* id === "sitesearch"
      ? connect({ provider: id, auth_type: "api_key", credentials: { api_key: apiKey } })
      : connect({ provider: id, credentials: freshGrant(id) })
  }
  return readWrite
})

const secretOf = ({ id }: Provider): string => id === "sitesearch" ? apiKey : freshGrant(id).access_token

const hostileInput = (valid: unknown, schema: unknown): fc.Arbitrary<unknown> =>
  fc.oneof(
    { arbitrary: hostileText.chain((text) => fc.constantFrom(...poisoned(valid, text))), weight: 4 },
    { arbitrary: arbitraryInput(schema), weight: 1 }
  )

const poisoned = (value: unknown, text: string): ReadonlyArray<unknown> => {
  if (Predicate.isString(value)) return [text, `${value}${text}`, `${text}${value}`]
  if (Array.isArray(value)) {
    return value.flatMap((each, at) => poisoned(each, text).map((changed) => value.with(at, changed)))
  }
  if (!Predicate.isObject(value)) return [text]
  return [
    { ...value, [text]: text },
    ...Object.entries(value).flatMap(([name, each]) =>
      poisoned(each, text).map((changed) => ({ ...value, [name]: changed }))
    )
  ]
}

const fieldOf = (node: unknown, name: string): unknown => Predicate.isObject(node) ? { ...node }[name] : undefined

const propertiesOf = (schema: unknown, part: string): ReadonlyArray<string> =>
  Object.keys(Object(fieldOf(fieldOf(fieldOf(schema, "properties"), part), "properties")))

const assertCredentials = (arrival: Arrival, provider: Provider) => {
  const everything = JSON.stringify(arrival)
  for (const other of providers) {
    assert.strictEqual(everything.split(secretOf(other)).length - 1, other.id === provider.id ? 1 : 0, everything)
  }
  if (provider.id === "sitesearch") {
    assert.isUndefined(arrival.headers.authorization)
    assert.deepStrictEqual(new URL(arrival.url, "http://a").searchParams.getAll("apikey").at(-1), apiKey)
  } else assert.strictEqual(arrival.headers.authorization, `Bearer ${secretOf(provider)}`)
  assert.isUndefined(arrival.headers.cookie)
}

const hostileAnswers: Handler = () => ({
  body: {
    siteEntry: [{ siteUrl: "https://example.com/../x/", permissionLevel: "siteOwner" }],
    d: [],
    spreadsheetId: "s/../x?y#z",
    sheets: [
      { properties: { title: "Sheet1", sheetId: 0, index: 0, gridProperties: { rowCount: 9, columnCount: 9 } } },
      { properties: { title: "../x?y#z", sheetId: 1, index: 1, gridProperties: { rowCount: 9, columnCount: 9 } } }
    ],
    values: [["a", "b"], ["../x", "d"]],
    updates: { updatedRange: "Sheet1!A1:B2", updatedRows: 1 },
    documentId: "d/../x?y#z",
    title: "Plan",
    revisionId: "r/../x",
    body: {
      content: [
        { endIndex: 1, sectionBreak: {} },
        {
          startIndex: 1,
          endIndex: 3,
          paragraph: { elements: [{ startIndex: 1, endIndex: 3, textRun: { content: "a\n", textStyle: {} } }] }
        }
      ]
    }
  }
})

type Check = (answer: Answer, arrivals: ReadonlyArray<Arrival>) => void

/** Calls with hostile inputs. Nothing arrives elsewhere, and no other credential arrives. */
const attacks = Effect.gen(function*() {
  const server = yield* TestServer
  const outside = yield* Outside
  const key = yield* connectAll
  const foreignHost = new URL(outside.foreign.url).host
  let [refused, sent] = [0, 0]
  const attack = (provider: Provider, name: string, schema: unknown, handler: Handler, check: Check) => {
    const call = [...reads, ...writes].find((call) => call.provider === provider.id && nameOf(call) === name)
    const property = fc.asyncProperty(hostileInput(call?.input ?? {}, schema), async (generated) => {
      const input: unknown = JSON.parse(JSON.stringify(generated).replaceAll("evil.example", foreignHost))
      outside.handle(handler)
      const answer = await Effect.runPromise(server.call(key, { ...call, input }))
      const arrivals = outside.arrivals()
      assert.deepStrictEqual(outside.foreign.requests, [])
      for (const arrival of arrivals) assertCredentials(arrival, provider)
      check(answer, arrivals)
      if (arrivals.length === 0) refused++
      sent += arrivals.length
    })
    return Effect.promise(() => fc.assert(property, { numRuns: 8 }))
  }
  return { attack, refused: () => refused, sent: () => sent }
})

const sitesList: Call = { provider: "gsc", endpoint: "sites.list" }

const decodeStarted = Schema.decodeUnknownSync(Schema.Struct({ authorize_url: Schema.String }))

layer(EgressServer, { excludeTestServices: true })("Whatever a caller sends", (it) => {
  it.effect("a raw endpoint sends requests only to its origin, method and path with its credential, or none", () =>
    Effect.gen(function*() {
      const outside = yield* Outside
      const { attack, refused, sent } = yield* attacks
      for (const provider of providers) {
        for (const endpoint of provider.endpoints) {
          const schema = jsonSchemaOf(endpoint.input)
          const allowed = [...propertiesOf(schema, "query"), "apikey"]
          yield* attack(provider, endpoint.id, schema, () => ({ body: {} }), (answer, arrivals) => {
            if (answer.status !== 200) {
              assert.deepStrictEqual([answer.status, errorIn(answer).code, arrivals], [400, "invalid_input", []])
              return
            }
            const [arrival = assert.fail(answer.text), ...others] = arrivals
            assert.deepStrictEqual(others, [])
            assert.strictEqual(endpointOf(arrival, [endpoint]), endpoint, arrival.url)
            assert.strictEqual(arrival.headers.host, new URL(outside.url(endpoint.origin)).host)
            assert.includeMembers(allowed, [...queryNames(arrival)])
          })
        }
      }
      assert.isAbove(sent(), 30)
      assert.isAbove(refused(), 30)
    }))

  it.effect("a smart tool sends requests only to endpoints of its provider", () =>
    Effect.gen(function*() {
      const { attack, sent } = yield* attacks
      for (const provider of providers) {
        const endpoints = [...provider.endpoints, propertiesBatchRunReports]
        for (const { input, name } of provider.tools) {
          yield* attack(provider, name, jsonSchemaOf(input), hostileAnswers, ({ status, text }, arrivals) => {
            assert.notStrictEqual(status, 500, text)
            for (const arrival of arrivals) {
              assert.isDefined(endpointOf(arrival, endpoints), `${arrival.at} ${arrival.method} ${arrival.url}`)
            }
          })
        }
      }
      assert.isAbove(sent(), 30)
    }))

  it.effect.each([301, 302, 303, 307, 308])(
    "no redirect (%i) is followed, not even to another provider",
    (status) =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const outside = yield* Outside
        for (const elsewhere of [outside.foreign.url, outside.url(documentsGet.origin)]) {
          const redirect: Handler = () => ({ status, headers: { location: `${elsewhere}/v1/documents/x` }, body: {} })
          const gone = (at: ReadonlyArray<string>) => {
            assert.deepStrictEqual(outside.foreign.requests, [])
            assert.deepStrictEqual(outside.arrivals().map((arrival) => arrival.at), [...at])
          }
          const { connect, connection, readWrite } = yield* seed()
          const sheets = yield* connect({ provider: "gsheets", credentials: freshGrant(`sheets-${status}`) })
          const stale = yield* connect({ credentials: expiredGrant(`stale-${status}`) })
          const robot = yield* connect({ auth_type: "service_account", credentials: keyFile })
          const call = (connection_id: string, body: Call) => server.call(readWrite, { ...body, connection_id })
          const assertUpstreamError = Effect.fnUntraced(function*(connection_id: string, body: Call) {
            assert.strictEqual(errorIn(yield* call(connection_id, body)).code, "upstream_error")
          })

          outside.handle(redirect)
          yield* assertUpstreamError(connection.id, sitesList)
          gone(["gsc"])

          outside.handle(redirect)
          const clear = writes.find(({ endpoint }) => endpoint === "values.clear") ?? assert.fail()
          yield* assertUpstreamError(sheets.id, clear)
          gone(["gsheets"])

          for (const { id } of [stale, robot]) {
            outside.handle(() => ({ body: {} }), redirect)
            assert.strictEqual((yield* call(id, sitesList)).status, 502)
            gone(["googleToken"])
          }

          outside.handle(redirect)
          yield* server.admin.managedConnections.revoke({ params: { id: connection.id } })
          gone(["googleRevoke"])

          outside.handle(
            redirect,
            () => ({
              body: { access_token: "ya29.in-0123456789", refresh_token: "1//in-0123456789", expires_in: 3600 }
            })
          )
          const { authorize_url } = yield* server.admin.connect.start({ payload: { provider: "gsc", label: "a" } })
          const state = new URL(authorize_url).searchParams.get("state")
          assert.strictEqual((yield* server.request("GET", `/connect/callback?state=${state}&code=c`)).status, 200)
          gone(["googleToken", "googleUserinfo"])
        }
      })
  )

  it.effect("URLs in a key file are never contacted", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const outside = yield* Outside
      const { url } = outside.foreign
      const { connect, writer } = yield* seed()
      const credentials = {
        ...keyFile,
        token_uri: `${url}/token`,
        auth_uri: `${url}/auth`,
        auth_provider_x509_cert_url: `${url}/certs`,
        client_x509_cert_url: `${url}/cert`,
        universe_domain: new URL(url).host
      }
      const { id } = yield* connect({ auth_type: "service_account", credentials })
      outside.handle(() => ({ body: {} }))
      yield* writer.call.call({ payload: { ...sitesList, connection_id: id } })
      yield* admin.managedConnections.test({ params: { id } })
      yield* admin.managedConnections.revoke({ params: { id } })
      assert.deepStrictEqual(outside.foreign.requests, [])
      const at = outside.arrivals().map((arrival) => arrival.at)
      assert.includeMembers(at, ["gsc", "googleToken"])
      assert.includeMembers(["gsc", "googleToken", "googleRevoke"], at)
    }))

  it.effect("a sign-in goes to the provider's page and returns to BASE_URL", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const outside = yield* Outside
      const hosts = {
        host: "evil.example",
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "gopher",
        forwarded: "host=evil.example"
      }
      const property = fc.asyncProperty(hostileText, hostileText, async (text, code) => {
        outside.handle(() => ({ status: 404, body: {} }), () => ({ status: 400, body: { error: "invalid_grant" } }))
        const body = { provider: "gsc", label: `a${text}`.replaceAll("\0", "").slice(0, 200) }
        const begun = await Effect.runPromise(
          server.request("POST", "/admin/v1/connect", { key: server.adminToken, body, headers: hosts })
        )
        if (begun.status !== 200) return assert.strictEqual(begun.status, 400, begun.text)
        const url = new URL(decodeStarted(begun.json).authorize_url)
        assert.strictEqual(url.origin + url.pathname, outside.url(google.authorize))
        assert.strictEqual(url.searchParams.get("redirect_uri"), `${baseUrl}/connect/callback`)

        const query = new URLSearchParams({
          state: url.searchParams.get("state") ?? "",
          code,
          iss: outside.foreign.url,
          redirect_uri: outside.foreign.url,
          scope: text
        })
        await Effect.runPromise(server.request("GET", `/connect/callback?${query}`, { headers: hosts }))
        const [exchange, ...others] = outside.arrivals()
        assert.deepStrictEqual([exchange?.at, exchange?.url, others], [
          "googleToken",
          new URL(google.token.url).pathname,
          []
        ])
        const form = new URLSearchParams(exchange?.body)
        assert.deepStrictEqual([form.getAll("redirect_uri"), form.getAll("code")], [[`${baseUrl}/connect/callback`], [
          code.toWellFormed()
        ]])
        assert.deepStrictEqual(outside.foreign.requests, [])
      })
      yield* Effect.promise(() => fc.assert(property, { numRuns: 40 }))
    }))
})
