import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { decodeJwt } from "jose"
import type { AuthType } from "../../src/Domain/Connection.ts"
import type { RawEndpoint } from "../../src/Providers/Provider.ts"
import { providers } from "../../src/Registrations.ts"
import { assertError } from "../support/Answer.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { keyFile } from "../support/ServiceAccountFile.ts"
import { TestServer } from "../support/TestServer.ts"
import { Connected, type Credentials, delegated, grantTokens, isTokenRequest } from "./Connected.ts"
import { actualError } from "./ErrorCase.ts"
import { type Call, nameOf, reads, writes } from "./EveryOperation.ts"

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`

const google = [
  { provider: "gsc", all: "webmasters.readonly", reading: "webmasters.readonly", tellsHowToWrite: false },
  { provider: "ga4", all: "analytics.readonly", reading: "analytics.readonly", tellsHowToWrite: false },
  { provider: "gsheets", all: "spreadsheets", reading: "spreadsheets.readonly", tellsHowToWrite: true },
  { provider: "gdocs", all: "documents", reading: "documents.readonly", tellsHowToWrite: true }
].map((row) => ({ ...row, all: scope(row.all), reading: scope(row.reading) }))

const readOf = (provider: string): Call | undefined => reads.find((call) => call.provider === provider)

const isEnough = (granted: ReadonlyArray<string>) => (endpoint: RawEndpoint) =>
  granted.some((each) => endpoint.scopes.includes(each))

describe.each(providers)("$id: the scopes", ({ endpoints, scopes }) => {
  it("that are requested by default are enough for every operation", () => {
    assert.isTrue(endpoints.every(isEnough(scopes.write)))
  })

  it("for reading are enough for every operation that reads", () => {
    assert.isTrue(endpoints.filter(({ writes }) => !writes).every(isEnough(scopes.read)))
  })
})

layer(Connected.layer, { excludeTestServices: true })("Scopes", (it) => {
  const claimsOf = Effect.fnUntraced(function*(provider: string, more?: { readonly scopes: ReadonlyArray<string> }) {
    const server = yield* TestServer
    const upstream = yield* LoopbackUpstream
    const { connect, readOnly } = yield* Connected
    const connection_id = yield* connect(provider, "service_account", more)
    upstream.handle(grantTokens(() => ({ body: {} })))
    const { status } = yield* server.call(readOnly, { ...readOf(provider), connection_id })
    const assertions = upstream.requests.filter(isTokenRequest)
      .map(({ body }) => new URLSearchParams(body).get("assertion") ?? "")
    assert.strictEqual(assertions.length, 1)
    return { status, claims: decodeJwt(assertions[0] ?? "") }
  })

  it.effect.each(google)(
    "$provider: a service account requests those of every operation, or of reading alone, with which it reads",
    ({ all, provider, reading }) =>
      Effect.gen(function*() {
        const { claims, status } = yield* claimsOf(provider)
        assert.deepStrictEqual([status, claims["scope"]], [200, all])
        assert.deepInclude(claims, { iss: keyFile.client_email, aud: keyFile.token_uri })
        assert.notProperty(claims, "sub")
        const reader = yield* claimsOf(provider, { scopes: [reading] })
        assert.deepStrictEqual([reader.status, reader.claims["scope"]], [200, reading])
      })
  )

  it.effect.each([
    ...google.map(({ all, provider }) => ({ provider, path: "/googleAuth", scopes: `${all} openid email` })),
    { provider: "sitesearch", path: "/sitesearchAuth", scopes: "webmaster.manage" }
  ])(
    "$provider: a sign-in requests those of every operation, and Google's the e-mail address",
    (expected) =>
      Effect.gen(function*() {
        const { provider } = expected
        const { admin } = yield* TestServer
        const { authorize_url } = yield* admin.connect.start({ payload: { provider, label: "A sign-in" } })
        const { pathname: path, searchParams } = new URL(authorize_url)
        assert.deepStrictEqual({ provider, path, scopes: searchParams.get("scope") }, expected)
      })
  )

  it.effect.each(google)(
    "$provider: too few say how to write, where it can",
    ({ provider, tellsHowToWrite }) =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const upstream = yield* LoopbackUpstream
        const { connection, readOnly } = yield* Connected
        const connection_id = yield* connection(provider, "oauth")
        for (const message of ["Request had insufficient authentication scopes.", "Insufficient Permission"]) {
          const error = { code: 403, message, errors: [{ message, reason: "insufficientPermissions" }] }
          upstream.handle(() => ({ status: 403, body: { error } }))
          const answer = yield* server.call(readOnly, { ...readOf(provider), connection_id })
          assert.strictEqual(actualError(answer).code, "credentials_rejected")
          assert.strictEqual(answer.text.includes("with a link that has"), tellsHowToWrite, answer.text)
          assert.lengthOf(upstream.requests, 1)
        }
      })
  )
})

const creations: ReadonlyArray<readonly [name: string, request: string]> = [
  ["spreadsheets.create", "POST /gsheets/v4/spreadsheets"],
  ["sheets_create", "POST /gsheets/v4/spreadsheets"],
  ["documents.create", "POST /gdocs/v1/documents"],
  ["docs_create", "POST /gdocs/v1/documents"]
]

layer(Connected.layer, { excludeTestServices: true })("Creating a file", (it) => {
  const create = Effect.fnUntraced(function*(name: string, authMethod: AuthType, credentials?: Credentials) {
    const server = yield* TestServer
    const upstream = yield* LoopbackUpstream
    const { connect, readWrite } = yield* Connected
    const call = writes.find((each) => nameOf(each) === name) ?? assert.fail(name)
    const connection_id = yield* connect(call.provider, authMethod, credentials && { credentials })
    upstream.handle(grantTokens(() => ({ body: {} })))
    const answer = yield* server.call(readWrite, { ...call, connection_id })
    return {
      answer,
      tokens: upstream.requests.filter(isTokenRequest),
      sent: upstream.requests.filter((request) => !isTokenRequest(request))
        .map(({ method, url }) => `${method} ${url.replace(/\?.*/, "")}`)
    }
  })

  it.effect.each(creations)(
    "with %s is refused to a service account, unless it acts for a user",
    ([name, request]) =>
      Effect.gen(function*() {
        const { answer, sent, tokens } = yield* create(name, "service_account")
        assertError(answer, 400, "invalid_input", [{
          path: ["connection_id"],
          message: "A service account cannot own files; use a connection made through an identity-provider sign-in " +
            "(or a service account with a `subject` to act for)"
        }])
        assert.deepStrictEqual([...sent, ...tokens], [])

        const delegating = yield* create(name, "service_account", delegated)
        assert.include(delegating.sent, request)
        const [assertion] = delegating.tokens.map(({ body }) => new URLSearchParams(body).get("assertion") ?? "")
        assert.strictEqual(decodeJwt(assertion ?? "")["sub"], delegated.subject)
        assert.include((yield* create(name, "oauth")).sent, request)
      })
  )

  it.effect("is the only write that a service account is refused", () =>
    Effect.gen(function*() {
      for (const name of ["values.append", "spreadsheets.batchUpdate", "documents.batchUpdate"]) {
        const { answer, sent } = yield* create(name, "service_account")
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(sent.length, 1)
      }
    }))
})
