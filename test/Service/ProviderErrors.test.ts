import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { AuthType } from "../../src/Domain/Connection.ts"
import { type Handler, LoopbackUpstream, type Recorded } from "../support/LoopbackUpstream.ts"
import { recordedTraffic } from "../support/OutsideFolder.ts"
import { TestServer } from "../support/TestServer.ts"
import { authMethods, Connected, grantTokens, isTokenRequest, staleGrant } from "./Connected.ts"
import { actualError, type ErrorCase, expectedError, type Outcome } from "./ErrorCase.ts"
import { type Call, reads, writes } from "./EveryOperation.ts"
import { googleErrors } from "./GoogleErrors.ts"
import { filesWithCase, recordedErrorCases } from "./RecordedErrors.ts"
import { recordedErrors } from "./Recordings.ts"
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
  const isTokenError = errorCase.provider === "token"
  const provider = isTokenError ? "gsheets" : errorCase.provider
  const credentials = isTokenError && authMethod === "oauth" ? { credentials: staleGrant } : {}
  const connection_id = isTokenError || outcome === "credentials_expired"
    ? yield* connect(provider, authMethod, credentials)
    : yield* connection(provider, authMethod)
  const failure: Handler = () => ({ status: errorCase.status, body: errorCase.body })
  upstream.handle(isTokenError ? failure : grantTokens(failure))
  const call = { ...callTo(provider), connection_id }
  const answer = actualError(yield* server.call(readWrite, call))
  const sent = upstream.requests.filter((request) => !isOther(request)).length
  const next = outcome === "credentials_expired" ? actualError(yield* server.call(readWrite, call)).code : undefined
  return { answer, sent, next }
})

const cases = [
  ...googleErrors,
  ...sitesearchErrors,
  ...(recordedTraffic.isAbsent ? [] : recordedErrorCases())
]

it.skipIf(recordedTraffic.isAbsent)(`Every recorded error has a case${recordedTraffic.absence}`, () => {
  assert.sameMembers([...recordedErrors().keys()], [...filesWithCase])
})

layer(Connected.layer, { excludeTestServices: true })("A provider's error", (it) => {
  for (const errorCase of cases) {
    it.effect(`of ${errorCase.provider} has its code: ${errorCase.name}`, () =>
      Effect.gen(function*() {
        for (const authMethod of authMethods[errorCase.provider] ?? ["oauth", "service_account"]) {
          const outcome = authMethod === "oauth" ? errorCase.oauth : errorCase.account
          const expired = outcome === "credentials_expired"
          const once = errorCase.provider === "token" ? 0 : 1
          assert.deepStrictEqual(yield* callWithFailure(errorCase, authMethod, outcome), {
            answer: expectedError(outcome, errorCase),
            // The call is retried once with a new token.
            sent: expired ? 2 * once : once,
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
