import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { jwtVerify } from "jose"
import { generateKeyPairSync } from "node:crypto"
import { strict } from "../../../src/Domain/Validation/Validation.ts"
import { signAssertion } from "../../../src/Providers/OAuth/ServiceAccountAssertion.ts"
import { ServiceAccountKey } from "../../../src/Providers/OAuth/ServiceAccountKey.ts"
import { keyFile, pem, publicKey } from "../../support/ServiceAccountFile.ts"

const decode = Schema.decodeUnknownSync(ServiceAccountKey, strict)

const sign = (changes: object = {}) => signAssertion(decode({ ...keyFile, ...changes }), ["https://a", "https://b"])

const NOW = Date.UTC(2026, 0, 1)

describe("a service account's key file", () => {
  it("is read and written back unchanged, and printed without its key", () => {
    assert.deepStrictEqual(Schema.encodeSync(ServiceAccountKey)(decode(keyFile)), keyFile)
    assert.notInclude(JSON.stringify(decode(keyFile)), "PRIVATE")
  })

  it("has Google's token endpoint if it names none", () => {
    const { token_uri: _, ...without } = keyFile
    assert.strictEqual(decode(without).token_uri, "https://oauth2.googleapis.com/token")
  })

  it.each([{ type: "authorized_user" }, { client_email: "" }, { private_key: undefined }])(
    "is refused with %j",
    (changes) => {
      assert.throws(() => decode({ ...keyFile, ...changes }))
    }
  )
})

describe("the assertion of a service account", () => {
  it.effect("names account, user, audience and scopes, and is valid for an hour", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const assertion = yield* sign({ token_uri: "https://audience.example/token", subject: "person@example.com" })
      const { payload, protectedHeader } = yield* Effect.promise(() =>
        jwtVerify(Redacted.value(assertion), publicKey, { currentDate: new Date(NOW) })
      )
      assert.deepStrictEqual(protectedHeader, { alg: "RS256", typ: "JWT", kid: "key-1" })
      assert.deepStrictEqual(payload, {
        iss: keyFile.client_email,
        sub: "person@example.com",
        scope: "https://a https://b",
        aud: "https://audience.example/token",
        iat: NOW / 1000,
        exp: NOW / 1000 + 3600
      })
    }))

  it.effect.each([
    ["no key", "not a key"],
    ["half a key", keyFile.private_key.slice(0, 300)],
    ["a key of another kind", pem(generateKeyPairSync("ed25519"))],
    ["a key that is too short", pem(generateKeyPairSync("rsa", { modulusLength: 1024 }))]
  ])("cannot be made with %s, and the message says why", ([, private_key = ""]) =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(sign({ private_key }))
      assert.strictEqual(error.code, "credentials_rejected")
      assert.include(error.message, "private_key")
      assert.notInclude(error.message, private_key.slice(0, 40))
    }))
})
