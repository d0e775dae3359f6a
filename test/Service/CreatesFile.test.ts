import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { decodeJwt } from "jose"
import type { AuthType } from "../../src/Domain/Connection.ts"
import { assertError } from "../support/Answer.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { TestServer } from "../support/TestServer.ts"
import { Connected, type Credentials, delegated, grantTokens, isTokenRequest } from "./Connected.ts"
import { nameOf, writes } from "./EveryOperation.ts"

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
