import { assert, describe, it } from "@effect/vitest"
import { redactJsonText, redactText } from "../../../src/Secrets/Redaction/Redaction.ts"
import { plainSecret, RemovedSecrets } from "../../../src/Secrets/Redaction/RemovedSecrets.ts"

const removedFrom = (text: string, redact = redactText) => {
  const removed = new RemovedSecrets()
  redact(text, (part) => removed.add(part))
  return removed.secrets
}

const token = "ya29.a0AfH6SM-canary_0123456789"
const password = "p%ss w+rd/\"canary\"\\0123=="
const pem = `-----BEGIN PRIVATE KEY-----\nMIIEvQ+canary/01\nAB23==\n-----END PRIVATE KEY-----\n`
const cookie = "Fe26.2**canary0123456789"

const json = (value: unknown, depth: number): string =>
  depth === 0 ? JSON.stringify(value) : JSON.stringify({ body: json(value, depth - 1) })

const places: ReadonlyArray<readonly [place: string, text: string, secret: string]> = [
  ["a field", json({ password }, 0), password],
  ["a field of JSON in JSON in JSON", json({ password }, 2), password],
  ["an object below a secret name", json({ credentials: { user: "x", parts: [{ value: cookie }] } }, 1), cookie],
  ["a number", "{\"token\":1234567890}", "1234567890"],
  ["a header with its scheme", `{"Authorization":"Bearer ${token}"}`, token],
  ["a header line", `Authorization: Bearer ${token}\r\nHost: x`, token],
  ["a header of another scheme", "Authorization: Token canary0123456789abcdef", "canary0123456789abcdef"],
  ["a list of cookies", `Cookie: theme=dark; session=${cookie}; lang=en`, cookie],
  ["a parameter", `https://x.example/?a=1&access_token=${token}&b=2`, token],
  ["an encoded parameter", `https://x.example/?api_key=${encodeURIComponent(password)}`, password],
  ["a form", new URLSearchParams({ client_secret: password }).toString(), password],
  ["a parameter of a parameter", `?next=${encodeURIComponent(`/cb?token=${token}`)}`, token],
  ["a parameter that is encoded twice", encodeURIComponent(encodeURIComponent(`token: ${token}`)), token],
  ["a sentence", `my token is ${token}.`, token],
  ["a refresh token in JSON", "{\"x\":\"1\\/\\/0gCanary-0123456789\"}", "1//0gCanary-0123456789"],
  ["escaped characters", "{\"x\":\"\\u0079a29.canary0123456789\"}", "ya29.canary0123456789"],
  ["full-width characters", "ｙａ２９.canary0123456789", "ya29.canary0123456789"],
  ["a key file", json({ type: "service_account", private_key: pem }, 1), pem],
  ["a key file of Windows", json({ data: pem.replaceAll("\n", "\r\n") }, 0), pem],
  ["a key file below a secret name", json({ credentials: { id: "x", private_key: pem } }, 1), pem],
  ["a URL with a password", `postgres://admin:${encodeURIComponent("canary/0123:x")}@db.example/x`, "canary/0123:x"],
  ["a URL with a token as its user", "https://canary0123456789:x-oauth-basic@git.example/x", "canary0123456789"]
]

describe("A secret that redaction removes", () => {
  it.each(places)("is found in %s", (_, text, secret) => {
    const redact = text.startsWith("{") ? redactJsonText : redactText
    assert.notInclude(redact(text), secret)
    for (const pasted of [secret, `  ${secret}\n`, `Bearer ${secret}`, encodeURIComponent(secret)]) {
      assert.include(removedFrom(text, redact), plainSecret(pasted))
    }
  })

  it("is not found where it is short, and neither is a name beside it", () => {
    const text = json({ pin: 1, token: "short", credentials: { account_name: "1234567", list: ["[redacted]"] } }, 1)
    assert.deepStrictEqual(removedFrom(text, redactJsonText).filter((secret) => !secret.startsWith("{")), [])
  })

  it("is one of a bounded number, the first ones as a whole", () => {
    const tokens = Array.from({ length: 100 }, (_, number) => `canary-${1000 + number}`)
    const found = removedFrom(JSON.stringify(tokens.map((token) => ({ token }))), redactJsonText)
    assert.deepStrictEqual(found, tokens.slice(0, 32))
    assert.isAtMost(removedFrom(JSON.stringify({ tokens }), redactJsonText).length, 32)
  })
})
