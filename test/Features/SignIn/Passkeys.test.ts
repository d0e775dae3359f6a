import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { AuthenticationOptions, Passkey, RegistrationOptions } from "../../../src/Domain/SignIn/Passkey.ts"
import { baseUrl, Hosted, manage, timestamp } from "../../Http/Fixture.ts"
import { assertError, assertLimited, errorIn, issuePaths } from "../../support/Answer.ts"
import { cookieOf, ownPage, type SignedIn, signedIn } from "../../support/SignedIn.ts"
import { type Ceremony, softAuthenticator } from "../../support/SoftAuthenticator.ts"
import { TestServer } from "../../support/TestServer.ts"

const password = "three quiet harbours"

const rp = { rpId: "accounts.example.com", origin: baseUrl }

const decodeRegistration = Schema.decodeUnknownSync(Schema.Struct({ options: RegistrationOptions }))
const decodeStart = Schema.decodeUnknownSync(Schema.Struct({ options: AuthenticationOptions }))
const decodePasskey = Schema.decodeUnknownSync(Schema.toEncoded(Passkey))
const decodePasskeys = Schema.decodeUnknownSync(Schema.Struct({ passkeys: Schema.Array(Schema.toEncoded(Passkey)) }))

const register = ({ request }: Pick<SignedIn, "request">, body: unknown = {}) =>
  request("POST", "/auth/passkeys/registration", { body })

const add = Effect.fnUntraced(function*(ada: SignedIn, more: Partial<Ceremony> = {}) {
  const authenticator = softAuthenticator()
  const { options } = decodeRegistration((yield* register(ada)).json)
  const response = authenticator.create({ challenge: options.challenge, ...rp, ...more })
  const answer = yield* ada.request("POST", "/auth/passkeys", { body: { name: "Laptop", response } })
  return { answer, authenticator, options, response }
})

const start = Effect.gen(function*() {
  const { request } = yield* TestServer
  const answer = yield* request("POST", "/auth/passkeys/authentication", { headers: ownPage })
  return { answer, cookie: cookieOf(answer), ...decodeStart(answer.json) }
})

const signIn = Effect.fnUntraced(function*(response: unknown, cookie?: string, address = "203.0.113.1") {
  const { request } = yield* TestServer
  const headers = { ...ownPage, "x-forwarded-for": address, ...(cookie === undefined ? {} : { cookie }) }
  return yield* request("POST", "/auth/passkeys/sign-in", { headers, body: { response } })
})

layer(Hosted, { excludeTestServices: true })("Passkeys", (it) => {
  it.effect("are added in a session, sign in and are removed", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const ada = yield* signedIn()
      const { answer, authenticator, options } = yield* add(ada)
      assert.deepStrictEqual(options.rp, { id: rp.rpId, name: "OpenAccounts" })
      assert.strictEqual(options.authenticatorSelection.userVerification, "required")
      assert.deepStrictEqual((yield* server.request("GET", "/auth/methods")).json, { methods: ["password", "passkey"] })
      assert.strictEqual(answer.status, 201, answer.text)
      const passkey = decodePasskey(answer.json)
      assert.match(passkey.id, /^pas_/)
      assert.match(passkey.created_at, timestamp)
      const list = () => Effect.map(ada.request("GET", "/auth/passkeys"), ({ json }) => decodePasskeys(json).passkeys)
      assert.deepStrictEqual(yield* list(), [{ ...passkey, name: "Laptop", last_used_at: null }])
      assert.deepStrictEqual(
        decodeRegistration((yield* register(ada)).json).options.excludeCredentials.map(({ id }) => id),
        [authenticator.id]
      )

      const started = yield* start
      assert.match(
        started.answer.headers.getSetCookie()[0] ?? "",
        /^__Host-openaccounts_passkey=[\w-]{43}; Max-Age=300; Path=\/; HttpOnly; Secure; SameSite=Lax$/
      )
      assert.deepStrictEqual(started.options.allowCredentials, [])
      const response = authenticator.get({ challenge: started.options.challenge, ...rp }, 1, ada.member.id)
      const answered = yield* signIn(response, started.cookie)
      assert.strictEqual(answered.status, 200, answered.text)
      const session = answered.headers.getSetCookie().find((each) => each.startsWith("__Host-openaccounts_session="))
      const mine = yield* server.request("GET", "/auth/session", { headers: { cookie: session?.split(";")[0] ?? "" } })
      assert.deepStrictEqual(mine.json, JSON.parse(JSON.stringify({ member: ada.member, methods: ["passkey"] })))
      assert.match((yield* list())[0]?.last_used_at ?? "", timestamp)

      const replayed = yield* signIn(response, started.cookie)
      assertError(replayed, 401, "unauthenticated")
      assert.lengthOf(replayed.headers.getSetCookie(), 0)

      const bob = yield* signedIn()
      assertError(yield* bob.request("DELETE", `/auth/passkeys/${passkey.id}`), 404, "passkey_not_found")
      assert.strictEqual((yield* ada.request("DELETE", `/auth/passkeys/${passkey.id}`)).status, 204)
      assert.deepStrictEqual(yield* list(), [])
      const again = yield* start
      const removed = authenticator.get({ challenge: again.options.challenge, ...rp }, 2)
      assertError(yield* signIn(removed, again.cookie), 401, "unauthenticated")

      const { text } = yield* manage("GET", "/audit?limit=200")
      for (const action of ["added", "removed"]) {
        assert.include(text, `"action":"passkey.${action}","subject":{"type":"passkey","id":"${passkey.id}"}`)
      }
      assert.include(text, "\"method\":\"passkey\"")
    }))

  it.effect("sign in only for this site, challenge and browser, with a verified user, own handle and growing count", () =>
    Effect.gen(function*() {
      const [ada, bob] = [yield* signedIn(), yield* signedIn()]
      const { authenticator } = yield* add(ada)
      const foreign = (yield* start).cookie
      let addresses = 10
      const attempt = Effect.fnUntraced(function*(
        count: number,
        { cookie, handle, ...more }: Partial<Ceremony> & { readonly cookie?: string; readonly handle?: string } = {}
      ) {
        const started = yield* start
        const ceremony = { challenge: started.options.challenge, ...rp, ...more }
        // Five refusals a minute of an address end its attempts.
        const address = `203.0.113.${++addresses}`
        return yield* signIn(authenticator.get(ceremony, count, handle), cookie ?? started.cookie, address)
      })
      assert.strictEqual((yield* attempt(7)).status, 200)
      const refused = [
        attempt(100, { origin: `${baseUrl}.evil.com` }),
        attempt(100, { rpId: "evil.com" }),
        attempt(100, { challenge: "c29tZXRoaW5nIGVsc2U" }),
        attempt(100, { cookie: foreign }),
        attempt(100, { isVerified: false }),
        attempt(100, { handle: bob.member.id }),
        attempt(7),
        attempt(6)
      ]
      const messages = new Set<string>()
      for (const each of refused) {
        const answer = yield* each
        assertError(answer, 401, "unauthenticated")
        messages.add(errorIn(answer).message)
      }
      assert.strictEqual((yield* attempt(8)).status, 200)
      assert.strictEqual(messages.size, 1)
    }))

  it.effect("are refused after five refusals within a minute", () =>
    Effect.gen(function*() {
      const { authenticator } = yield* add(yield* signedIn())
      for (let attempt = 1; attempt <= 5; attempt++) {
        const answer = yield* signIn(authenticator.get({ challenge: "eA", ...rp }, 1))
        assertError(answer, 401, "unauthenticated")
      }
      const started = yield* start
      const right = authenticator.get({ challenge: started.options.challenge, ...rp }, 1)
      const limited = yield* signIn(right, started.cookie)
      assertLimited(limited, "sign_in")
    }))

  it.effect("are added only for this site, with a challenge of the session, once", () =>
    Effect.gen(function*() {
      const ada = yield* signedIn()
      const bob = yield* signedIn()
      for (const more of [{ origin: "https://evil.com" }, { rpId: "evil.com" }, { isVerified: false }]) {
        assert.deepStrictEqual(issuePaths((yield* add(ada, more)).answer), ["response"])
      }
      const { response } = yield* add(ada)
      const again = (who: SignedIn) => who.request("POST", "/auth/passkeys", { body: { name: "Laptop", response } })
      assert.deepStrictEqual(issuePaths(yield* again(ada)), ["response"])
      yield* register(bob)
      assert.deepStrictEqual(issuePaths(yield* again(bob)), ["response"])
      assert.lengthOf(decodePasskeys((yield* ada.request("GET", "/auth/passkeys")).json).passkeys, 1)
      for (const body of [{}, { name: "", response }, { name: "x", response: { ...response, id: "ü" } }]) {
        assert.isNotEmpty(issuePaths(yield* ada.request("POST", "/auth/passkeys", { body })))
      }
    }))

  it.effect("are added only with the current password, where there is one", () =>
    Effect.gen(function*() {
      const ada = yield* signedIn()
      assert.strictEqual((yield* ada.request("PUT", "/auth/password", { body: { password } })).status, 204)
      assert.deepStrictEqual(issuePaths(yield* register(ada)), ["current_password"])
      assertError(yield* register(ada, { current_password: "four noisy harbours" }), 401, "unauthenticated")
      assert.strictEqual((yield* register(ada, { current_password: password })).status, 200)
    }))
})
