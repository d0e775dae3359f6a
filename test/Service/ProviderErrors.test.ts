import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { AuthType } from "../../src/Domain/Connection.ts"
import { type Handler, LoopbackUpstream, type Recorded } from "../support/LoopbackUpstream.ts"
import { TestServer } from "../support/TestServer.ts"
import { apiKey, authMethods, Connected, grantTokens, isTokenRequest, providerIds } from "./Connected.ts"
import {
  actualError,
  type ErrorCase,
  expectedError,
  googleErrors,
  type Outcome,
  sitesearchErrors
} from "./ErrorCase.ts"
import { type Call, reads, writes } from "./EveryOperation.ts"

/** Writes where a provider has one, because a write is never retried. */
const endpoints: Readonly<Record<string, string>> = {
  gsc: "sites.list",
  ga4: "properties.runReport",
  sitesearch: "SubmitUrl",
  gsheets: "values.update",
  gdocs: "documents.batchUpdate"
}

const callTo = (provider: string): Call | undefined =>
  [...reads, ...writes].find((call) => call.provider === provider && call.endpoint === endpoints[provider])

/** A refusal about one property asks for the list of them too. */
const isOther = (request: Recorded) => isTokenRequest(request) || request.url.includes("/accountSummaries")

const callWithFailure = Effect.fnUntraced(function*(errorCase: ErrorCase, authMethod: AuthType, outcome: Outcome) {
  const server = yield* TestServer
  const upstream = yield* LoopbackUpstream
  const { connect, connection, readWrite } = yield* Connected
  const { body, provider, status } = errorCase
  const connection_id = yield* (outcome === "credentials_expired" ? connect : connection)(provider, authMethod)
  upstream.handle(grantTokens(() => ({ status, body })))
  const call = { ...callTo(provider), connection_id }
  const answer = actualError(yield* server.call(readWrite, call))
  const sent = upstream.requests.filter((request) => !isOther(request)).length
  const next = outcome === "credentials_expired" ? actualError(yield* server.call(readWrite, call)).code : undefined
  return { answer, sent, next }
})

layer(Connected.layer, { excludeTestServices: true })("A provider's error", (it) => {
  for (const errorCase of [...googleErrors, ...sitesearchErrors]) {
    it.effect(`of ${errorCase.provider} has its code: ${errorCase.name}`, () =>
      Effect.gen(function*() {
        for (const authMethod of authMethods[errorCase.provider] ?? []) {
          const outcome = authMethod === "oauth" ? errorCase.oauth : errorCase.account
          const expired = outcome === "credentials_expired"
          assert.deepStrictEqual(yield* callWithFailure(errorCase, authMethod, outcome), {
            answer: expectedError(outcome, errorCase),
            // The call is retried once with a new token.
            sent: expired ? 2 : 1,
            next: expired ? "connection_inactive" : undefined
          })
        }
      }))
  }

  it.effect("of token has its code: 200 without an access token", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { connect, readWrite } = yield* Connected
      const connection_id = yield* connect("gsheets", "service_account")
      upstream.handle(() => ({ body: { id_token: "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJnIn0.c2ln" } }))
      const answer = yield* server.call(readWrite, { ...callTo("gsheets"), connection_id })
      assert.deepStrictEqual(actualError(answer), {
        status: 502,
        code: "credentials_rejected",
        details: { id_token: "[redacted]" }
      })
    }))
})

const cheapestReads: Readonly<Record<string, string>> = {
  gsc: "GET /gsc/webmasters/v3/sites",
  ga4: "GET /ga4Admin/v1beta/accountSummaries?pageSize=200",
  sitesearch: "GET /sitesearch/webmaster/api.svc/json/GetUserSites"
}

const every = providerIds.flatMap((provider) =>
  (authMethods[provider] ?? []).map((authMethod) => ({ provider, authMethod }))
)

const line = ({ method, url }: Recorded): string => `${method} ${url}`

const test = Effect.fnUntraced(function*(id: string) {
  const server = yield* TestServer
  return yield* server.request("POST", `/admin/v1/connections/${id}/test`, { key: server.adminToken })
})

const invalidGrant = { error: "invalid_grant", error_description: "Token has been expired or revoked." }
const invalidClient = { error: "invalid_client", error_description: "The OAuth client was not found." }
const unauthorizedClient = {
  error: "unauthorized_client",
  error_description: "Unauthorized client or scope in request."
}
const google = (code: number, status: string) => ({ error: { code, message: "No.", status } })
const sitesearch = (code: number) => ({ ErrorCode: code, Message: "ERROR!!! No" })

const failures: ReadonlyArray<
  readonly [provider: string, authMethod: AuthType, status: number, body: unknown, outcome: Outcome]
> = [
  ["gsc", "oauth", 401, google(401, "UNAUTHENTICATED"), "credentials_expired"],
  ["gsc", "service_account", 403, google(403, "PERMISSION_DENIED"), "credentials_rejected"],
  ["ga4", "oauth", 403, google(403, "PERMISSION_DENIED"), "upstream_error"],
  ["ga4", "service_account", 200, "<html>", "upstream_unreachable"],
  ["sitesearch", "oauth", 400, sitesearch(18), "credentials_expired"],
  ["sitesearch", "api_key", 400, sitesearch(3), "credentials_rejected"],
  ["gsheets", "oauth", 400, invalidGrant, "credentials_expired"],
  ["gsheets", "service_account", 400, invalidGrant, "credentials_rejected"],
  ["gdocs", "oauth", 401, invalidClient, "credentials_rejected"],
  ["gdocs", "service_account", 401, unauthorizedClient, "credentials_rejected"]
]

layer(Connected.layer, { excludeTestServices: true })("A connection test", (it) => {
  for (const { authMethod, provider } of every) {
    const read = cheapestReads[provider]
    it.effect(`of ${provider}, ${authMethod} sends only ${read ?? "a token request"}`, () =>
      Effect.gen(function*() {
        const { admin } = yield* TestServer
        const upstream = yield* LoopbackUpstream
        const { connect } = yield* Connected
        const id = yield* connect(provider, authMethod)
        upstream.handle(grantTokens(() => ({ body: {} })))
        const { latency_ms, ok } = yield* admin.managedConnections.test({ params: { id } })
        assert.isTrue(ok)
        assert.isAbove(latency_ms, 0)
        const tokenRequests = upstream.requests.filter(isTokenRequest)
        const others = upstream.requests.filter((request) => !isTokenRequest(request))
        if (read === undefined) assert.isNotEmpty(tokenRequests)
        const key = authMethod === "api_key" ? `?apikey=${apiKey}` : ""
        assert.deepStrictEqual(others.map(line), read === undefined ? [] : [`${read}${key}`])
      }))
  }

  for (const [provider, authMethod, status, body, outcome] of failures) {
    it.effect(`of ${provider}, ${authMethod} fails with ${outcome} as a call would`, () =>
      Effect.gen(function*() {
        const upstream = yield* LoopbackUpstream
        const { connect } = yield* Connected
        const id = yield* connect(provider, authMethod)
        const failing: Handler = () => ({ status, body })
        upstream.handle(cheapestReads[provider] === undefined ? failing : grantTokens(failing))
        const error = expectedError(outcome, { status, body })
        assert.deepStrictEqual(actualError(yield* test(id)), error)
        const { code } = actualError(yield* test(id))
        assert.strictEqual(code, outcome === "credentials_expired" ? "connection_inactive" : error.code)
      }))
  }

  it.effect("of a revoked or unknown connection sends nothing", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { connect } = yield* Connected
      const id = yield* connect("sitesearch", "api_key")
      upstream.handle(() => ({ body: {} }))
      yield* admin.managedConnections.revoke({ params: { id } })
      assert.deepInclude(actualError(yield* test(id)), { status: 409, code: "connection_inactive" })
      assert.deepInclude(actualError(yield* test(`${id}x`)), { status: 404, code: "connection_not_found" })
      assert.isEmpty(upstream.requests)
    }))
})
