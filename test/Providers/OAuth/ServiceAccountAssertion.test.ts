import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { jwtVerify } from "jose"
import { generateKeyPairSync } from "node:crypto"
import { signAssertion } from "../../../src/Providers/OAuth/ServiceAccountAssertion.ts"
import { ServiceAccountKey } from "../../../src/Providers/OAuth/ServiceAccountKey.ts"
import { keyFile, pem, publicKey } from "../../support/ServiceAccountFile.ts"

const sign = (changes: object = {}) =>
  signAssertion(Schema.decodeUnknownSync(ServiceAccountKey)({ ...keyFile, ...changes }), ["https://a", "https://b"])

const NOW = Date.UTC(2026, 0, 1)

const verified = (assertion: Redacted.Redacted) =>
  Effect.promise(() => jwtVerify(Redacted.value(assertion), publicKey, { currentDate: new Date(NOW) }))

describe("the assertion of a service account", () => {
  it.effect("names the account, the audience and the scopes, and is valid for an hour", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const { payload, protectedHeader } = yield* verified(yield* sign({ token_uri: "https://audience.example/token" }))
      assert.deepStrictEqual(protectedHeader, { alg: "RS256", typ: "JWT", kid: "key-1" })
      assert.deepStrictEqual(payload, {
        iss: keyFile.client_email,
        scope: "https://a https://b",
        aud: "https://audience.example/token",
        iat: NOW / 1000,
        exp: NOW / 1000 + 3600
      })
    }))

  it.effect("names the user for whom the account acts", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const { payload } = yield* verified(yield* sign({ subject: "person@example.com" }))
      assert.strictEqual(payload.sub, "person@example.com")
    }))

  const unusable = [
    ["no key", "not a key"],
    ["escaped line breaks", JSON.stringify(keyFile.private_key).slice(1, -1)],
    ["half a key", keyFile.private_key.slice(0, 300)],
    ["a key of another kind", pem(generateKeyPairSync("ed25519"))],
    ["a key that is too short", pem(generateKeyPairSync("rsa", { modulusLength: 1024 }))]
  ] as const
  for (const [what, private_key] of unusable) {
    it.effect(`cannot be made with ${what}, and the message says why`, () =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(sign({ private_key }))
        assert.strictEqual(error.code, "credentials_rejected")
        assert.include(error.message, "private_key")
        assert.notInclude(error.message, private_key.slice(0, 40))
      }))
  }
})
