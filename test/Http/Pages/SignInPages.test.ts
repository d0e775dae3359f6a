import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { hash } from "node:crypto"
import { errorIn } from "../../support/Answer.ts"
import { type Handler, LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { TestServer } from "../../support/TestServer.ts"

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

const signIn = Effect.fnUntraced(function*(label = "Acme", client_id: string | null = null) {
  const { admin } = yield* TestServer
  const { authorize_url } = yield* admin.connect.start({ payload: { provider: "gsc", label, client_id } })
  return new URL(authorize_url).searchParams.get("state") ?? ""
})

const callback = Effect.fnUntraced(function*(parameters: Record<string, string>, accept = browser, method = "GET") {
  const { request } = yield* TestServer
  return yield* request(method, `/connect/callback?${new URLSearchParams(parameters)}`, { headers: { accept } })
})

const granted: Handler = ({ url }) =>
  url === "/googleToken"
    ? { body: { access_token: "ya29.new", expires_in: 3600, refresh_token: "1//new" } }
    : { body: { email: "jane<b>@example.com" } }

layer(TestServer.make({ BASE_URL: "https://oa.example" }), { excludeTestServices: true })(
  "A sign-in in a browser",
  (it) => {
    for (
      const { error, parameters, says, status, title } of [
        {
          title: "was cancelled",
          parameters: { error: "access_denied" },
          status: 400,
          error: "invalid_input",
          says: [
            "You did not grant access",
            "nothing was changed",
            "Begin again where you began, or ask the person who sent you a link for a new one"
          ]
        },
        {
          title: "was ended by the provider",
          parameters: { error: "<script>alert(1)</script>" },
          status: 400,
          error: "invalid_input",
          says: ["The provider ended the sign-in", "&#60;script&#62;"]
        },
        {
          title: "has ended",
          parameters: { state: "unknown", code: "4/0code" },
          status: 400,
          error: "invalid_input",
          says: ["This sign-in has ended", "nothing is left to do"]
        },
        {
          title: "failed at the provider",
          parameters: { code: "4/0code" },
          reply: () => (response) => response.destroy(),
          status: 502,
          error: "upstream_unreachable",
          says: ["The account was not connected", "give them the details for support"]
        }
      ] satisfies ReadonlyArray<{
        readonly title: string
        readonly parameters: Record<string, string>
        readonly reply?: Handler
        readonly status: number
        readonly error: string
        readonly says: ReadonlyArray<string>
      }>
    ) {
      it.effect(`that ${title} ends with a page that says what to do next, and with JSON for other clients`, () =>
        Effect.gen(function*() {
          const upstream = yield* LoopbackUpstream
          upstream.handle(() => (response) => response.destroy())
          const page = yield* callback({ state: yield* signIn(), ...parameters })
          assert.strictEqual(page.status, status, page.text)
          assert.strictEqual(page.headers.get("content-type"), "text/html; charset=utf-8")
          for (const text of [...says, error, page.callId]) assert.include(page.text, text)
          assert.match(page.callId, /^call_/)
          assert.notInclude(page.text, "<script")

          const json = yield* callback({ state: yield* signIn(), ...parameters }, "*/*")
          assert.deepStrictEqual([json.status, errorIn(json).code], [status, error])
        }))
    }

    it.effect("that succeeds names the account and the client, escaped", () =>
      Effect.gen(function*() {
        const { admin } = yield* TestServer
        const upstream = yield* LoopbackUpstream
        upstream.handle(granted)
        const client = yield* admin.clients.create({ payload: { name: "Acme & Sons <Ltd>" } })
        const state = yield* signIn("Jane's", client.id)
        const page = yield* callback({ state, code: "4/0code" })
        assert.strictEqual(page.status, 200)
        for (
          const text of [
            "Search Console is connected",
            "jane&#60;b&#62;@example.com",
            "Acme &#38; Sons &#60;Ltd&#62;",
            "Jane&#39;s"
          ]
        ) assert.include(page.text, text)
        const { connections: [connection] } = yield* admin.managedConnections.list({ query: { client_id: client.id } })
        assert.include(page.text, `${connection?.id}`)
      }))

    it.effect("has pages that run no script, cannot be framed or cached, and send no address on", () =>
      Effect.gen(function*() {
        ;(yield* LoopbackUpstream).handle(granted)
        for (const parameters of [{ code: "4/0code" }, { error: "access_denied" }]) {
          const { headers, text } = yield* callback({ state: yield* signIn(), ...parameters })
          const [, style = ""] = /<style>([^]*)<\/style>/.exec(text) ?? []
          assert.strictEqual(
            headers.get("content-security-policy"),
            `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; font-src 'self'; ` +
              "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
          )
          assert.strictEqual(headers.get("cache-control"), "no-store")
          assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
          assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
        }
      }))

    it.effect("reconnects a connection under its id, with the account it has now", () =>
      Effect.gen(function*() {
        const { admin } = yield* TestServer
        const upstream = yield* LoopbackUpstream
        upstream.handle(granted)
        const client = yield* admin.clients.create({ payload: { name: "Beta" } })
        const before = yield* admin.managedConnections.create({
          payload: {
            provider: "gsc",
            auth_type: "oauth",
            credentials: { refresh_token: "1//old" },
            label: "Old",
            client_id: client.id,
            external_account: "old@example.com",
            scopes: ["https://www.googleapis.com/auth/webmasters.readonly"]
          }
        })
        const connection_id = before.id
        const started = yield* admin.connect.start({ payload: { connection_id } })
        const query = new URL(started.authorize_url).searchParams
        assert.include(query.get("scope"), "webmasters.readonly")
        const state = query.get("state") ?? ""
        assert.strictEqual((yield* callback({ state, code: "4/0code" }, browser, "HEAD")).status, 204)
        const page = yield* callback({ state, code: "4/0code" })
        assert.strictEqual(page.status, 200, page.text)
        for (const text of ["jane&#60;b&#62;@example.com", "Beta", connection_id]) assert.include(page.text, text)
        const { connections } = yield* admin.managedConnections.list({ query: { client_id: client.id } })
        assert.deepStrictEqual(
          connections.map(({ external_account, id, label, status }) => ({ external_account, id, label, status })),
          [{ external_account: "jane<b>@example.com", id: connection_id, label: "Old", status: "active" }]
        )

        const refusals = [
          [{ connection_id: "con_unknown" }, "connection_not_found", []],
          [{ connection_id, provider: "ga4" }, "invalid_input", ["provider"]],
          [{ connection_id, client_id: null }, "invalid_input", ["client_id"]],
          [{ provider: "gsc" }, "invalid_input", ["label"]],
          [{}, "invalid_input", ["provider", "label"]]
        ] as const
        for (const [body, code, paths] of refusals) {
          const { adminToken, request } = yield* TestServer
          const error = errorIn(yield* request("POST", "/admin/v1/connect", { key: adminToken, body }))
          assert.strictEqual(error.code, code)
          for (const path of paths) assert.include(JSON.stringify(error.details), `["${path}"]`)
        }
      }))
  }
)
