import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { AuthType } from "../../src/Domain/Connection.ts"
import { type Handler, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { TestServer } from "../support/TestServer.ts"
import { absenceOf } from "./Beside.ts"
import { authMethods, Connected, granting, isTokenRequest, staleGrant } from "./Connected.ts"
import { answerTo, type ErrorRow, type Outcome, told } from "./ErrorRow.ts"
import { type Call, reads, writes } from "./EveryOperation.ts"
import { googleErrors } from "./GoogleErrors.ts"
import { filesWithRow, recordedErrorRows } from "./RecordedErrors.ts"
import { recordedErrors } from "./Recordings.ts"
import { sitesearchErrors } from "./SitesearchErrors.ts"
import { tokenErrors } from "./TokenErrors.ts"

/** What each provider is asked for; a write where there is one, for it is sent once whatever the answer. */
const asked: Readonly<Record<string, string>> = {
  gsc: "sites.list",
  ga4: "properties.runReport",
  sitesearch: "SubmitUrl",
  gsheets: "values.update",
  gdocs: "documents.batchUpdate"
}

const callTo = (provider: string): Call | undefined =>
  [...reads, ...writes].find((call) => call.provider === provider && call.endpoint === asked[provider])

/** What a caller is told when every request to the provider, or to the token endpoint, is answered so. */
const failing = Effect.fnUntraced(function*(row: ErrorRow, authMethod: AuthType, outcome: Outcome) {
  const server = yield* TestServer
  const upstream = yield* LoopbackUpstream
  const { connect, connection, readWrite } = yield* Connected
  const ofToken = row.provider === "token"
  const provider = ofToken ? "gsheets" : row.provider
  const credentials = ofToken && authMethod === "oauth" ? { credentials: staleGrant } : {}
  const connection_id = ofToken || outcome === "credentials_expired"
    ? yield* connect(provider, authMethod, credentials)
    : yield* connection(provider, authMethod)
  const failure: Handler = () => ({ status: row.status, body: row.body })
  upstream.handle(ofToken ? failure : granting(failure))
  const call = { ...callTo(provider), connection_id }
  const answer = told(yield* server.call(readWrite, call))
  const sent = upstream.requests.filter((request) => !isTokenRequest(request)).length
  // A connection that is not expired by it goes on to serve other tests.
  const next = outcome === "credentials_expired" ? told(yield* server.call(readWrite, call)).code : undefined
  return { answer, sent, next }
})

const absent = absenceOf("fixtures")

const rows = [
  ...googleErrors,
  ...sitesearchErrors,
  ...tokenErrors,
  ...(absent === "" ? recordedErrorRows() : [])
]

it.skipIf(absent)(`every recorded error is among them${absent}`, () => {
  assert.sameMembers([...recordedErrors().keys()], [...filesWithRow])
})

layer(Connected.layer, { excludeTestServices: true })("A provider's error", (it) => {
  for (const row of rows) {
    it.effect(`${row.provider}: ${row.what}`, () =>
      Effect.gen(function*() {
        for (const authMethod of authMethods[row.provider] ?? ["oauth", "service_account"]) {
          const outcome = authMethod === "oauth" ? row.oauth : row.account
          const expired = outcome === "credentials_expired"
          const once = row.provider === "token" ? 0 : 1
          assert.deepStrictEqual(yield* failing(row, authMethod, outcome), {
            answer: answerTo(outcome, row),
            // A new token is tried once.
            sent: expired ? 2 * once : once,
            next: expired ? "connection_inactive" : undefined
          })
        }
      }))
  }

  it.effect("token: 200 without an access token", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { connect, readWrite } = yield* Connected
      const connection_id = yield* connect("gsheets", "service_account")
      upstream.handle(() => ({ body: { id_token: "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJnIn0.c2ln" } }))
      const answer = yield* server.call(readWrite, { ...callTo("gsheets"), connection_id })
      assert.deepStrictEqual(told(answer), {
        status: 502,
        code: "credentials_rejected",
        details: { id_token: "[redacted]" }
      })
    }))
})
