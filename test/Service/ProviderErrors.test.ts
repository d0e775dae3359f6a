import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { AuthType } from "../../src/Domain/Connection.ts"
import { LoopbackUpstream, type Recorded } from "../support/LoopbackUpstream.ts"
import { TestServer } from "../support/TestServer.ts"
import { authMethods, Connected, grantTokens, isTokenRequest } from "./Connected.ts"
import { actualError, type ErrorCase, expectedError, type Outcome } from "./ErrorCase.ts"
import { type Call, reads, writes } from "./EveryOperation.ts"
import { googleErrors } from "./GoogleErrors.ts"
import { sitesearchErrors } from "./SitesearchErrors.ts"

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
