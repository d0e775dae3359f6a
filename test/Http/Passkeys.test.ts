import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { AuthenticationOptions, Passkey, RegistrationOptions } from "../../src/Domain/SignIn/Passkey.ts"
import { assertError, assertLimited, errorIn, issuePaths } from "../support/Answer.ts"
import { cookieOf, ownPage, type SignedIn, signedIn } from "../support/SignedIn.ts"
import { type Ceremony, softAuthenticator } from "../support/SoftAuthenticator.ts"
import { TestServer } from "../support/TestServer.ts"
import { manage, timestamp } from "./Fixture.ts"

const password = "three quiet harbours"

const rp = { rpId: "accounts.example.com", origin: "https://accounts.example.com" }

const decodeRegistration = Schema.decodeUnknownSync(Schema.Struct({ options: RegistrationOptions }))
const decodeStart = Schema.decodeUnknownSync(Schema.Struct({ options: AuthenticationOptions }))
const decodePasskey = Schema.decodeUnknownSync(Schema.toEncoded(Passkey))
const decodePasskeys = Schema.decodeUnknownSync(Schema.Struct({ passkeys: Schema.Array(Schema.toEncoded(Passkey)) }))

/** With https the cookie has another name. */
const newMember = Effect.gen(function*() {
  const ada = yield* signedIn()
  const cookie = `__Host-${ada.cookie}`
  const request: SignedIn["request"] = (method, path, options = {}) =>
    ada.request(method, path, { ...options, headers: { cookie, ...options.headers } })
  return { ...ada, request }
})

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

const signIn = Effect.fnUntraced(function*(response: unknown, cookie?: string) {
  const { request } = yield* TestServer
  const headers = { ...ownPage, ...(cookie === undefined ? {} : { cookie }) }
  return yield* request("POST", "/auth/passkeys/sign-in", { headers, body: { response } })
})

layer(TestServer.make({ BASE_URL: rp.origin, ADMIN_TOKEN: "an-admin-token-of-at-least-32-characters" }), {
  excludeTestServices: true
})("Passkeys", (it) => {
  it.effect("are added in a session, sign in and are removed", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const ada = yield* newMember
      const { answer, authenticator, options } = yield* add(ada)
      assert.deepStrictEqual(options.rp, { id: rp.rpId, name: "OpenAccounts" })
      assert.strictEqual(options.authenticatorSelection.userVerification, "required")
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
      const signedIn = yield* signIn(response, started.cookie)
      assert.strictEqual(signedIn.status, 200, signedIn.text)
      const session = signedIn.headers.getSetCookie().find((each) => each.startsWith("__Host-openaccounts_session="))
      const mine = yield* server.request("GET", "/auth/session", { headers: { cookie: session?.split(";")[0] ?? "" } })
      assert.deepStrictEqual(mine.json, JSON.parse(JSON.stringify({ member: ada.member, methods: ["passkey"] })))
      assert.match((yield* list())[0]?.last_used_at ?? "", timestamp)

      const replayed = yield* signIn(response, started.cookie)
      assertError(replayed, 401, "unauthenticated")
      assert.lengthOf(replayed.headers.getSetCookie(), 0)

      const bob = yield* newMember
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

  it.effect("sign in only for this site, this challenge and this browser", () =>
    Effect.gen(function*() {
      const ada = yield* newMember
      const { answer, authenticator } = yield* add(ada)
      assert.strictEqual(answer.status, 201)
      const attempt = Effect.fnUntraced(function*(
        { cookie, count = 100, ...more }: Partial<Ceremony> & { readonly cookie?: string; readonly count?: number }
      ) {
        const started = yield* start
        const response = authenticator.get({ challenge: started.options.challenge, ...rp, ...more }, count)
        return yield* signIn(response, cookie ?? started.cookie)
      })
      assert.strictEqual((yield* attempt({ count: 7 })).status, 200)
      const foreign = (yield* start).cookie
      const refused: ReadonlyArray<Parameters<typeof attempt>[0]> = [
        { origin: "https://accounts.example.com.evil.com" },
        { rpId: "evil.com" },
        { challenge: "c29tZXRoaW5nIGVsc2U" },
        { cookie: foreign }
      ]
      const messages = new Set<string>()
      for (const each of refused) {
        const answer = yield* attempt(each)
        assertError(answer, 401, "unauthenticated")
        messages.add(errorIn(answer).message)
      }
      assert.strictEqual(messages.size, 1)
      assert.strictEqual((yield* attempt({ count: 101 })).status, 200)
    }))

  it.effect("sign in only with a verified user, the member's own handle and a growing count", () =>
    Effect.gen(function*() {
      const ada = yield* newMember
      const bob = yield* newMember
      const { authenticator } = yield* add(ada)
      const attempt = Effect.fnUntraced(function*(count: number, more: Partial<Ceremony> = {}, handle?: string) {
        const { cookie, options } = yield* start
        return yield* signIn(
          authenticator.get({ challenge: options.challenge, ...rp, ...more }, count, handle),
          cookie
        )
      })
      assertError(yield* attempt(1, { isVerified: false }), 401, "unauthenticated")
      assertError(yield* attempt(1, {}, bob.member.id), 401, "unauthenticated")
      assert.strictEqual((yield* attempt(7)).status, 200)
      assertError(yield* attempt(7), 401, "unauthenticated")
      assertError(yield* attempt(6), 401, "unauthenticated")
      assert.strictEqual((yield* attempt(8)).status, 200)
    }))

  it.effect("are refused after five refusals within a minute", () =>
    Effect.gen(function*() {
      const { authenticator } = yield* add(yield* newMember)
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
      const ada = yield* newMember
      const bob = yield* newMember
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
      const ada = yield* newMember
      assert.strictEqual((yield* ada.request("PUT", "/auth/password", { body: { password } })).status, 204)
      assert.deepStrictEqual(issuePaths(yield* register(ada)), ["current_password"])
      assertError(yield* register(ada, { current_password: "four noisy harbours" }), 401, "unauthenticated")
      assert.strictEqual((yield* register(ada, { current_password: password })).status, 200)
    }))

  it.effect("are among the ways to sign in, where browsers allow them", () =>
    Effect.gen(function*() {
      const { request } = yield* TestServer
      const { json } = yield* request("GET", "/auth/methods")
      assert.deepStrictEqual(json, { methods: ["password", "passkey"] })
    }))
})
