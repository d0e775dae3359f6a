import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { namesSecret, redactJson, redactJsonText, redactPreview, redactText } from "../../src/Redaction/Redaction.ts"

describe("Names of fields", () => {
  const secret = [
    "authorization",
    "Proxy-Authorization",
    "token",
    "access_token",
    "refreshToken",
    "ID-TOKEN",
    "accesstoken",
    "tokens",
    "token2",
    "secret",
    "client_secret",
    "ClientSecrets",
    "password",
    "new_password",
    "passwd",
    "passphrase",
    "apiKey",
    "API_KEY",
    "apikey",
    "X-Api-Key",
    "x-goog-api-key",
    "privateKey",
    "private_key",
    "secret_access_key",
    "encryption_keys",
    "cookie",
    "Set-Cookie",
    "credential",
    "credentials",
    "client_assertion",
    "jwt",
    "AuthenticationCode",
    "DnsVerificationCode",
    "code_verifier"
  ]
  it.each(secret)("%s names a secret", (name) => assert.isTrue(namesSecret(name)))

  const ordinary = [
    "",
    "key",
    "keys",
    "keyword",
    "monkey",
    "private_key_id",
    "author",
    "authorize_url",
    "pageToken",
    "page_token",
    "nextPageToken",
    "NEXTPAGETOKEN",
    "syncToken",
    "token_type",
    "tokensPerDay",
    "secretary",
    "password_hint",
    "cookies_accepted",
    "code",
    "country_code",
    "🔑"
  ]
  it.each(ordinary)("%s names no secret", (name) => assert.isFalse(namesSecret(name)))
})

describe("Text", () => {
  const cases: ReadonlyArray<readonly [text: string, redacted: string]> = [
    ["Bearer abc123def456", "Bearer [redacted]"],
    ["authorization: BEARER  abc123def456==, x", "authorization: BEARER  [redacted], x"],
    ["Basic dXNlcjpwYXNzd29yZA==", "Basic [redacted]"],
    ["Bearer abcdefghijklmnopqrst", "Bearer [redacted]"],
    ["token ya29.a0AfH6SM-x_y.z is", "token [redacted] is"],
    ["\"1//0gdA-x_y\"", "\"[redacted]\""],
    ["oa_0123456789abcdefABCDEF", "[redacted]"],
    ["key=AIzaSyA-0123456789_abcdefghijkl", "key=[redacted]"],
    ["GOCSPX-abc_def-1", "[redacted]"],
    ["x eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl y", "x [redacted] y"],
    ["eyJhbGciOi.eyJzdWIiOi.", "[redacted]"],
    ["a -----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY----- b", "a [redacted] b"],
    ["a -----BEGIN PRIVATE KEY-----\nMIIE", "a [redacted]"],
    ["https://a.b/c?x=1&access_token=s3cr%2Ft&y=2#z", "https://a.b/c?x=1&access_token=[redacted]&y=2#z"],
    ["https://a.b/cb?code=4/0AX4&state=x", "https://a.b/cb?code=[redacted]&state=x"],
    ["client_secret=s3cret&grant_type=x", "client_secret=[redacted]&grant_type=x"],
    ["said {\"password\": \"x\\\"y\", \"n\": 1} then", "said {\"password\": \"[redacted]\", \"n\": 1} then"],
    ["{\"credentials\":{\"a\":[{\"b\":\"}\"}],\"c\":1},\"d\":2}", "{\"credentials\":\"[redacted]\",\"d\":2}"],
    ["{\"token\":12.5,\"d\":2}", "{\"token\":\"[redacted]\",\"d\":2}"],
    ["{\"token\":}", "{\"token\":\"[redacted]\"}"],
    ["{\"token\":\"cut of", "{\"token\":\"[redacted]\""]
  ]
  it.each(cases)("%s", (text, redacted) => assert.strictEqual(redactText(text), redacted))

  const kept = [
    "token economics",
    "how to reset a password",
    "bearer bonds",
    "Bearer of bad news",
    "basic authentication explained",
    "basic responsibilities",
    "https://a.b//c//d",
    "a/1//2",
    "1//2",
    "oa_short",
    "eyJ",
    "https://a.b/?page=2&keyword=secret&country_code=de",
    "-----BEGIN",
    "\"token\" economics",
    "{\"pageToken\":\"CAUQAA\"}"
  ]
  it.each(kept)("%s is kept", (text) => assert.strictEqual(redactText(text), text))
})

describe("JSON", () => {
  it("loses the values of secret names, except empty ones and flags", () => {
    assert.deepStrictEqual(
      redactJson({ token: "x", secret: 1, cookie: ["x"], credentials: { a: 1 }, a: [{ api_key: "x" }] }),
      {
        token: "[redacted]",
        secret: "[redacted]",
        cookie: "[redacted]",
        credentials: "[redacted]",
        a: [{ api_key: "[redacted]" }]
      }
    )
    const kept = { token: null, secret: "", password: false, cookie: true, x: [1, null, "y", {}] }
    assert.deepStrictEqual(redactJson(kept), kept)
  })

  it("loses secrets in names and behind escapes", () => {
    assert.deepStrictEqual(redactJson({ "ya29.abcdef": 1 }), { "[redacted]": 1 })
    assert.strictEqual(redactJsonText("{\"\\u0074oken\":\"x\"}"), "{\"token\":\"[redacted]\"}")
    assert.strictEqual(redactJsonText("[\"1\\/\\/0gdA-x_y\"]"), "[\"[redacted]\"]")
    assert.strictEqual(redactJsonText("{\"token\":\"x\",\"token\":\"y\"}"), "{\"token\":\"[redacted]\"}")
  })

  it("without secrets keeps its text", () => {
    const text = "{ \"a\": 1.0, \"b\": 12345678901234567890, \"a\": [ ] }"
    assert.strictEqual(redactJsonText(text), text)
  })

  it("keeps a field __proto__", () => {
    assert.strictEqual(
      redactJsonText("{\"__proto__\":{\"token\":\"x\"},\"key\":1}"),
      "{\"__proto__\":{\"token\":\"[redacted]\"},\"key\":1}"
    )
  })

  it("without secrets is unchanged", () => {
    const plain = fc.json().filter((text) => !/[A-Za-z]{3}|[/\\]/.test(text))
    fc.assert(fc.property(plain, (text) => assert.deepStrictEqual(JSON.parse(redactJsonText(text)), JSON.parse(text))))
  })

  it("never contains a secret, at any place and preview length", () => {
    const canary = "ya29.canary-0123456789"
    const around = fc.string({ unit: "grapheme", maxLength: 30 })
    fc.assert(fc.property(fc.jsonValue(), around, fc.nat(200), (value, name, length) => {
      const text = JSON.stringify({ [name]: value, x: { token: canary, y: [`a ${canary} b`] }, z: value })
      assert.notInclude(redactJsonText(text), "canary")
      assert.notInclude(redactPreview(text, length), "canary")
    }))
  })
})

describe("A preview", () => {
  it("is redacted before it is cut", () => {
    const text = `{"a":"${"x".repeat(90)}","private_key":"${"z".repeat(2000)}"}`
    for (const length of [50, 98, 110, 115, 120, 130, 5000]) {
      assert.notInclude(redactPreview(text, length), "z", `${length}`)
    }
  })
})

describe("Redaction takes linear time", () => {
  const mebibyte = 1_048_576
  const hostile = [
    "eyJ-",
    "\\\"",
    "A",
    "Bearer ",
    "-----BEGIN A-----",
    "\"a\":{",
    "\"token\":",
    "\"token\":[",
    "?code=",
    "a=",
    "1//",
    "[{"
  ]
  it.each(hostile)("for %j repeated", (part) => {
    const text = `"${part.repeat(mebibyte / part.length)}`
    assert.isAtLeast(redactText(`${text} token`).length, 10)
    namesSecret(text)
  })
})
