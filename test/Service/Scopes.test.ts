import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { decodeJwt } from "jose"
import type { ConnectRequest } from "../../src/Domain/Connection.ts"
import { ga4 } from "../../src/Providers/Ga4/Provider.ts"
import { gdocs } from "../../src/Providers/Gdocs/Provider.ts"
import { gsc } from "../../src/Providers/Gsc/Provider.ts"
import { gsheets } from "../../src/Providers/Gsheets/Provider.ts"
import type { RawEndpoint } from "../../src/Providers/Provider.ts"
import { sitesearch } from "../../src/Providers/Sitesearch/Provider.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { keyFile } from "../support/ServiceAccountFile.ts"
import { TestServer } from "../support/TestServer.ts"
import { Connected, grantTokens, isTokenRequest } from "./Connected.ts"
import { actualError } from "./ErrorCase.ts"
import { type Call, reads } from "./EveryOperation.ts"

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`

const defaults = {
  gsc: [scope("webmasters.readonly")],
  ga4: [scope("analytics.readonly")],
  gsheets: [scope("spreadsheets")],
  gdocs: [scope("documents")]
}

const readScope = {
  gsc: scope("webmasters.readonly"),
  ga4: scope("analytics.readonly"),
  gsheets: scope("spreadsheets.readonly"),
  gdocs: scope("documents.readonly")
}

const google = ["gsc", "ga4", "gsheets", "gdocs"] as const

const readOf = (provider: string): Call | undefined => reads.find((call) => call.provider === provider)

const isEnough = (granted: ReadonlyArray<string>) => (endpoint: RawEndpoint) =>
  granted.some((each) => endpoint.scopes.includes(each))

describe.each([gsc, ga4, sitesearch, gsheets, gdocs])("$id: the scopes", ({ endpoints, scopes }) => {
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

  for (const provider of google) {
    it.effect(`${provider}: a service account requests the scopes of every operation`, () =>
      Effect.gen(function*() {
        const { claims, status } = yield* claimsOf(provider)
        assert.strictEqual(status, 200)
        assert.strictEqual(claims["scope"], defaults[provider].join(" "))
        assert.deepInclude(claims, { iss: keyFile.client_email, aud: keyFile.token_uri })
        assert.notProperty(claims, "sub")
      }))

    it.effect(`${provider}: a connection with the scope for reading requests no more, and reads`, () =>
      Effect.gen(function*() {
        const { claims, status } = yield* claimsOf(provider, { scopes: [readScope[provider]] })
        assert.strictEqual(status, 200)
        assert.strictEqual(claims["scope"], readScope[provider])
      }))
  }

  const authorizeUrl = Effect.fnUntraced(function*(request: Omit<ConnectRequest, "label">, label = "A sign-in") {
    const { admin } = yield* TestServer
    const { authorize_url } = yield* admin.connect.start({ payload: { label, ...request } })
    return new URL(authorize_url)
  })

  for (const provider of google) {
    it.effect(`${provider}: a sign-in requests the scopes of every operation, and the e-mail address`, () =>
      Effect.gen(function*() {
        const { pathname, searchParams } = yield* authorizeUrl({ provider })
        assert.strictEqual(pathname, "/googleAuth")
        assert.strictEqual(searchParams.get("scope"), [...defaults[provider], "openid", "email"].join(" "))
      }))
  }

  it.effect("sitesearch: a sign-in requests reading and writing", () =>
    Effect.gen(function*() {
      const { pathname, searchParams } = yield* authorizeUrl({ provider: "sitesearch" })
      assert.strictEqual(pathname, "/sitesearchAuth")
      assert.strictEqual(searchParams.get("scope"), "webmaster.manage")
    }))

  it.effect("the operator can ask for less", () =>
    Effect.gen(function*() {
      const sheets = yield* authorizeUrl({ provider: "gsheets", scopes: [readScope.gsheets] })
      assert.strictEqual(sheets.searchParams.get("scope"), `${readScope.gsheets} openid email`)
      const site = yield* authorizeUrl({ provider: "sitesearch", scopes: ["webmaster.read"] })
      assert.strictEqual(site.searchParams.get("scope"), "webmaster.read")
    }))

  it.effect("a connection has the scopes that its owner granted, which can be fewer", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const label = "Granted less"
      const { searchParams } = yield* authorizeUrl({ provider: "gsheets" }, label)
      upstream.handle((request) => ({
        body: isTokenRequest(request)
          ? {
            access_token: "ya29.new-0123456789",
            refresh_token: "1//new-0123456789",
            scope: `openid ${readScope.gsheets}`
          }
          : { sub: "1", email: "jane@example.com" }
      }))
      const finish = new URLSearchParams({ state: searchParams.get("state") ?? "", code: "4/code" })
      const { status } = yield* server.request("GET", `/connect/callback?${finish}`)
      assert.strictEqual(status, 200)
      const { connections } = yield* server.admin.managedConnections.list({
        query: { provider: "gsheets", limit: 200 }
      })
      const made = connections.find((connection) => connection.label === label)
      assert.deepStrictEqual(made?.scopes, ["openid", readScope.gsheets])
    }))

  const tooFew = [
    {
      error: {
        code: 403,
        message: "Request had insufficient authentication scopes.",
        status: "PERMISSION_DENIED",
        details: [{
          "@type": "type.googleapis.com/google.rpc.ErrorInfo",
          reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
          domain: "googleapis.com",
          metadata: { service: "sheets.googleapis.com" }
        }]
      }
    },
    {
      error: {
        code: 403,
        message: "Insufficient Permission",
        errors: [{ message: "Insufficient Permission", domain: "global", reason: "insufficientPermissions" }]
      }
    }
  ]

  for (const provider of google) {
    it.effect(`${provider}: too few scopes are credentials_rejected, with the provider's body`, () =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const upstream = yield* LoopbackUpstream
        const { connection, readOnly } = yield* Connected
        for (const authMethod of ["oauth", "service_account"] as const) {
          const connection_id = yield* connection(provider, authMethod)
          for (const body of tooFew) {
            upstream.handle(grantTokens(() => ({ status: 403, body })))
            const answer = yield* server.call(readOnly, { ...readOf(provider), connection_id })
            assert.deepStrictEqual(actualError(answer), { status: 502, code: "credentials_rejected", details: body })
            const tellsHowToWrite = answer.text.includes("with a link that has")
            assert.strictEqual(tellsHowToWrite, provider === "gsheets" || provider === "gdocs", answer.text)
            if (authMethod === "oauth") assert.strictEqual(upstream.requests.length, 1)
          }
        }
      }))
  }
})
