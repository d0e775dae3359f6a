import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { CallerRequired, ManagerOrKeyRequired, ManagerRequired, SessionRequired } from "../../src/Api/Authentication.ts"
import { AnonymousJsonBody, JsonRequestBody } from "../../src/Api/Middleware.ts"
import { Api } from "../../src/Features/Contracts.ts"
import { assertError, errorIn } from "../support/Answer.ts"
import { ownPage, signedIn } from "../support/SignedIn.ts"
import { TestServer } from "../support/TestServer.ts"
import { requestHead, sendRaw } from "./RawRequest.ts"

const anonymousLimit = 16_384
const managementLimit = 262_144

const anonymousRoutes = [
  "/auth/link /auth/sign-in /auth/passkeys/sign-in /oauth/token /oauth/register /oauth/revoke",
  "/connect/oac_unknown /connect/oac_unknown/confirm /connect/oac_unknown/cancel"
].flatMap((text) => text.split(" "))

const ofJson = { ...ownPage, "content-type": "application/json" }

const headOf = (path: string, framing: object) => requestHead("POST", path, { ...ofJson, ...framing })

const newClient = (length: number) => JSON.stringify({ name: "Fernhill" }).padEnd(length)

describe("The API", () => {
  it("authenticates before it reads a body, or reads it as that of an unknown caller", () => {
    const anonymous: Array<string> = []
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint, middleware }) => {
        // The pipeline of calls does both.
        if (endpoint.path === "/v1/call") return
        const [first, ...others] = [...middleware].map(({ key }) => key)
        const isAnonymous = first === AnonymousJsonBody.key
        const readsBody = isAnonymous || first === JsonRequestBody.key
        assert.strictEqual(readsBody, endpoint.payload.size > 0, endpoint.path)
        if (isAnonymous) anonymous.push(endpoint.path)
        const isKnown = [CallerRequired, ManagerRequired, ManagerOrKeyRequired, SessionRequired].some(({ key }) =>
          others.includes(key)
        )
        if (readsBody) assert.strictEqual(isKnown, !isAnonymous, endpoint.path)
      }
    })
    assert.sameMembers(anonymous, anonymousRoutes.filter((path) => path.startsWith("/auth")))
  })
})

layer(TestServer.layer, { excludeTestServices: true })("A body", (it) => {
  it.effect.each(anonymousRoutes)("of an unknown caller has at most 16 KiB at %s", (path) =>
    Effect.gen(function*() {
      const { request } = yield* TestServer
      const post = (length: number) => request("POST", path, { rawBody: " ".repeat(length), headers: ofJson })
      assert.notStrictEqual((yield* post(anonymousLimit)).status, 413)
      assertError(yield* post(anonymousLimit + 1), 413, "payload_too_large")
      const size = anonymousLimit + 1
      const refusedAtOnce = yield* Effect.forEach([
        `${headOf(path, { "content-length": "10000000" })}x`,
        `${headOf(path, { "transfer-encoding": "chunked" })}${size.toString(16)}\r\n${" ".repeat(size)}`
      ], sendRaw)
      for (const { status, text } of refusedAtOnce) {
        assert.strictEqual(status, 413)
        assert.include(text, "payload_too_large")
      }
    }))

  it.effect.each(
    [
      ["POST", "/v1/call"],
      ["POST", "/mcp"],
      ["POST", "/admin/v1/keys"],
      ["POST", "/admin/v1/connect"],
      ["PUT", "/auth/password"],
      ["POST", "/auth/passkeys"]
    ] as const
  )("at %s %s is not awaited before the caller is known", ([method, path]) =>
    Effect.gen(function*() {
      const withheld = `${requestHead(method, path, { ...ofJson, "content-length": "10000000" })}{`
      assert.strictEqual((yield* sendRaw(withheld)).status, 401)
    }))

  it.effect("of a session has at most 256 KiB in the management API, and 16 KiB at /auth", () =>
    Effect.gen(function*() {
      const { request } = yield* signedIn({ role: "admin" })
      const create = (length: number) => request("POST", "/admin/v1/clients", { rawBody: newClient(length) })
      assert.strictEqual((yield* create(managementLimit)).status, 201)
      assertError(yield* create(managementLimit + 1), 413, "payload_too_large")
      const setPassword = (length: number) => request("PUT", "/auth/password", { rawBody: " ".repeat(length) })
      assertError(yield* setPassword(anonymousLimit), 400, "invalid_json")
      assertError(yield* setPassword(anonymousLimit + 1), 413, "payload_too_large")
    }))

  it.effect("of the operator has at most 10 MiB", () =>
    Effect.gen(function*() {
      const { adminToken: key, request } = yield* TestServer
      const create = (length: number) => request("POST", "/admin/v1/clients", { key, rawBody: newClient(length) })
      assert.strictEqual((yield* create(10_485_760)).status, 201)
      assertError(yield* create(10_485_761), 413, "payload_too_large")
    }))

  it.effect("of an unknown caller has at most 1024 values", () =>
    Effect.gen(function*() {
      const { request } = yield* TestServer
      const rawBody = `{"email":[${"{},".repeat(5000)}{}]}`
      const { details } = errorIn(yield* request("POST", "/auth/sign-in", { rawBody, headers: ofJson }))
      assert.deepStrictEqual(details, [{ path: [], message: "The request body has more than 1024 values." }])
    }))
})
