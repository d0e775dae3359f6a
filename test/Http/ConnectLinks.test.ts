import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { hashToken } from "../../src/Secrets/OpaqueToken.ts"
import { assertError, issuePaths } from "../support/Answer.ts"
import { signedIn } from "../support/SignedIn.ts"
import { seed, TestServer } from "../support/TestServer.ts"
import { manage, timestamp } from "./Fixture.ts"

const create = (body: object) => manage("POST", "/connect-links", body)

const tokenOf = (url: string): string => new URL(url).pathname.split("/")[2] ?? ""

layer(
  TestServer.make({
    CONNECT_REDIRECT_ORIGINS: "https://app.example.com, http://localhost:4000",
    SITESEARCH_CLIENT_ID: ""
  }),
  { excludeTestServices: true }
)("Connect links", (it) => {
  it.effect("are for one client, and show their URL once", () =>
    Effect.gen(function*() {
      const { admin, url } = yield* TestServer
      const { client } = yield* seed()
      const before = Date.now()
      const answer = yield* create({ client_id: client.id, providers: ["gsc", "ga4"] })
      assert.strictEqual(answer.status, 201, answer.text)
      const { connect_links } = yield* admin.connectLinks.list({ query: {} })
      const [listed = assert.fail()] = connect_links
      assert.match(listed.id, /^lnk_/)
      const { created_at, expires_at, url: page, ...rest } = Object(answer.json)
      assert.deepStrictEqual(rest, {
        id: listed.id,
        status: "open",
        client_id: client.id,
        connection_id: null,
        providers: ["gsc", "ga4"],
        access: "read_only",
        label: null,
        redirect_url: null,
        connected: [],
        ended_at: null
      })
      assert.match(created_at, timestamp)
      assert.approximately(Date.parse(expires_at) - before, 7 * 86_400_000, 10_000)
      const token = tokenOf(page)
      assert.match(token, /^oac_[\w-]{43}$/)
      assert.strictEqual(new URL(page).port, new URL(url).port)
      const list = yield* manage("GET", "/connect-links")
      assert.include(list.text, listed.id)
      for (const secret of [token, hashToken(Redacted.make(token))]) assert.notInclude(list.text, secret)
      assert.notInclude((yield* manage("GET", "/audit")).text, token)
    }))

  it.effect("are for the providers that the service is set up for, or for one connection", () =>
    Effect.gen(function*() {
      const { client, connect, connection } = yield* seed()
      const all = yield* create({ client_id: client.id })
      // Site search has no OAuth application in this test and takes an API key.
      assert.deepStrictEqual(Object(all.json).providers, ["gsc", "ga4", "sitesearch", "gsheets", "gdocs"])
      const reconnects = yield* create({ connection_id: connection.id, client_id: client.id, providers: ["gsc"] })
      const { client_id, connection_id, providers } = Object(reconnects.json)
      assert.deepStrictEqual([client_id, connection_id, providers], [client.id, connection.id, ["gsc"]])
      const shared = yield* connect({ client_id: null })
      assert.strictEqual(Object((yield* create({ connection_id: shared.id })).json).client_id, null)
    }))

  it.effect("refuse an invalid request, with the path of the field", () =>
    Effect.gen(function*() {
      const { client, connection } = yield* seed()
      const { client: other } = yield* seed()
      const invalid: ReadonlyArray<readonly [object, ...ReadonlyArray<string>]> = [
        [{}, "client_id"],
        [{ client_id: client.id, providers: [] }, "providers"],
        [{ client_id: client.id, expires_in: 299 }, "expires_in"],
        [{ client_id: client.id, expires_in: 2_592_001 }, "expires_in"],
        [{ client_id: client.id, expires_in: 400.5 }, "expires_in"],
        [{ client_id: client.id, label: " ", scopes: [] }, "label", "scopes"],
        [{ connection_id: connection.id, client_id: other.id, providers: ["ga4"] }, "client_id", "providers"],
        [{ connection_id: connection.id, label: "x" }, "label"]
      ]
      for (const [body, ...paths] of invalid) assert.sameMembers([...issuePaths(yield* create(body))], paths)
      assertError(yield* create({ client_id: "cli_x" }), 404, "client_not_found")
      assertError(yield* create({ connection_id: "con_x" }), 404, "connection_not_found")
      assertError(yield* create({ client_id: client.id, providers: ["gsx"] }), 404, "provider_not_found")
    }))

  it.effect("return to allowed origins alone", () =>
    Effect.gen(function*() {
      const { client } = yield* seed()
      const allowed = [
        "https://app.example.com",
        "https://app.example.com/back?tab=1#x",
        "http://localhost:4000/",
        "https://app.example.com:443/"
      ]
      for (const redirect_url of allowed) {
        const answer = yield* create({ client_id: client.id, redirect_url })
        assert.deepStrictEqual([answer.status, Object(answer.json).redirect_url], [201, redirect_url])
      }
      const refused = [
        "https://evil.example",
        "https://app.example.com.evil.example/",
        "https://app.example.com@evil.example/",
        "https://jane:secret@app.example.com/",
        "https://app.example.com:444/",
        "http://app.example.com/",
        "https://evil.example\\@app.example.com",
        "https:app.example.com",
        "//app.example.com/",
        "/back",
        "javascript:alert(1)//https://app.example.com",
        "https://app.example.com/\n",
        " https://app.example.com/",
        "http://127.0.0.1:4000/",
        ""
      ]
      for (const redirect_url of refused) {
        const answer = yield* create({ client_id: client.id, redirect_url })
        assert.deepStrictEqual(issuePaths(answer), ["redirect_url"], redirect_url)
      }
    }))

  it.effect("end when their operator ends them, once", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { client } = yield* seed()
      const { id } = yield* admin.connectLinks.create({ payload: { client_id: client.id } })
      const ended = yield* admin.connectLinks.end({ params: { id } })
      assert.strictEqual(ended.status, "ended")
      assert.deepStrictEqual(yield* admin.connectLinks.end({ params: { id } }), ended)
      assertError(yield* manage("DELETE", "/connect-links/lnk_x"), 404, "link_not_found")
      const { entries } = yield* admin.audit.list({ query: { subject: id } })
      assert.deepStrictEqual(entries.map(({ action, subject }) => [action, subject.type]), [
        ["link.ended", "link"],
        ["link.created", "link"]
      ])
    }))

  it.effect("of a member are those of its clients", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { client, connection } = yield* seed()
      const { client: other, connection: foreign } = yield* seed()
      const ada = yield* signedIn({ client_ids: [client.id] })
      const make = (body: object) => ada.request("POST", "/admin/v1/connect-links", { body })
      const made = yield* make({ client_id: client.id })
      assert.strictEqual(made.status, 201, made.text)
      assert.strictEqual((yield* make({ connection_id: connection.id })).status, 201)
      assertError(yield* make({ client_id: other.id }), 404, "client_not_found")
      assertError(yield* make({ connection_id: foreign.id }), 404, "connection_not_found")
      const unseen = yield* admin.connectLinks.create({ payload: { client_id: other.id } })
      const list = yield* ada.request("GET", "/admin/v1/connect-links?limit=200")
      assert.include(list.text, Object(made.json).id)
      assert.notInclude(list.text, unseen.id)
      assertError(yield* ada.request("DELETE", `/admin/v1/connect-links/${unseen.id}`), 404, "link_not_found")
      assert.strictEqual(
        (yield* ada.request("DELETE", `/admin/v1/connect-links/${Object(made.json).id}`)).status,
        200
      )
    }))
})
