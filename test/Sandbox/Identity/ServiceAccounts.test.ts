import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { google } from "../../../src/Providers/Google/IdentityProvider.ts"
import { OAuth } from "../../../src/Providers/OAuth/OAuth.ts"
import { scopes } from "../../../src/Sandbox/Identity/Scopes.ts"
import { keyFile } from "../../support/ServiceAccountFile.ts"
import { at, clientsOf, now, sandboxAt, send } from "../SandboxFixture.ts"
import { listSites } from "./Fixture.ts"

const jwt = (header: unknown, claims: unknown) =>
  [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")

layer(clientsOf(sandboxAt(now)))("Service accounts", (it) => {
  const seconds = Date.parse(now) / 1000
  const claims = {
    iss: keyFile.client_email,
    scope: scopes.webmasters,
    aud: "https://oauth2.googleapis.com/token",
    iat: seconds,
    exp: seconds + 3600
  }
  const assertWith = (changed: object, header: object = { alg: "RS256", typ: "JWT" }) =>
    send("googleToken", "", {
      form: {
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        assertion: `${jwt(header, { ...claims, ...changed })}.signature`
      }
    })

  it.effect("any key file gets a working token", () =>
    Effect.gen(function*() {
      const oauth = yield* OAuth
      const key = { ...keyFile, private_key: Redacted.make(keyFile.private_key) }
      const { accessToken } = yield* oauth.assertServiceAccount(google, key, [scopes.webmasters])
      assert.strictEqual((yield* listSites(Redacted.value(accessToken))).status, 200)
    }))

  for (
    const [what, changed, error, description] of [
      ["another audience", { aud: "https://example.com/" }, "invalid_grant", "Invalid JWT: Failed audience check."],
      [
        "yesterday's times",
        { iat: seconds - 90_000, exp: seconds - 86_400 },
        "invalid_grant",
        "Invalid JWT: Token must"
      ]
    ] as const
  ) {
    it.effect(`an assertion with ${what} is refused`, () =>
      Effect.gen(function*() {
        const { status, text } = yield* assertWith(changed)
        assert.deepStrictEqual([status, at(text, "error")], [400, error])
        assert.include(String(at(text, "error_description")), description)
      }))
  }

  it.effect("an unsigned assertion is refused", () =>
    Effect.map(assertWith({}, { alg: "none" }), ({ status }) => assert.strictEqual(status, 400)))
})
