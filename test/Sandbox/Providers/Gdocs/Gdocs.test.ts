import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { gdocs } from "../../../../src/Providers/Gdocs/Provider.ts"
import { google } from "../../../../src/Providers/Google/IdentityProvider.ts"
import { OAuth } from "../../../../src/Providers/OAuth/OAuth.ts"
import { scopes } from "../../../../src/Sandbox/Identity/Scopes.ts"
import { keyFile } from "../../../support/ServiceAccountFile.ts"
import { accessToken, at, call, clientsOf, now, oauthConnection, sandboxAt, send } from "../../SandboxFixture.ts"

const plan = "sandbox-plan"

const callEndpoint = (target: string, input: object) =>
  Effect.flatMap(oauthConnection(google, scopes.documents), ({ access }) => call(gdocs, target, input, access))

const createDocument = (title: string) =>
  Effect.map(callEndpoint("documents.create", { body: { title } }), (text) => String(at(text, "documentId")))

layer(clientsOf(sandboxAt(now)))("Documents", (it) => {
  it.effect("a field mask with tabs includes them, and one without them returns the legacy fields", () =>
    Effect.gen(function*() {
      const tabs = yield* callEndpoint("documents.get", {
        path: { documentId: plan },
        query: { fields: "tabs(tabProperties(title))" }
      })
      assert.deepStrictEqual(at(tabs), { tabs: [{ tabProperties: { title: "Plan" } }] })
      const legacy = yield* callEndpoint("documents.get", {
        path: { documentId: plan },
        query: { fields: "title,body/content" }
      })
      assert.strictEqual(at(legacy, "title"), "Spring plan")
      assert.isDefined(at(legacy, "body", "content", 1))
    }))

  it.effect("an unknown document gives 404, and an invalid batch gives 400 and changes nothing", () =>
    Effect.gen(function*() {
      const missing = yield* Effect.flip(callEndpoint("documents.get", { path: { documentId: "1abc" } }))
      assert.strictEqual(missing.status, 404)
      const documentId = yield* createDocument("Untouched")
      const refused = yield* Effect.flip(callEndpoint("documents.batchUpdate", {
        path: { documentId },
        body: {
          requests: [
            { insertText: { location: { index: 1 }, text: "x" } },
            { deleteContentRange: { range: { startIndex: 50, endIndex: 60 } } }
          ]
        }
      }))
      assert.strictEqual(refused.status, 400)
      const read = yield* callEndpoint("documents.get", { path: { documentId } })
      assert.strictEqual(at(read, "body", "content", 1, "endIndex"), 2)
    }))

  it.effect("a read-only token cannot write, and a service account cannot create", () =>
    Effect.gen(function*() {
      const token = yield* accessToken("google", scopes.documentsReadonly)
      assert.strictEqual((yield* send("gdocs", `/v1/documents/${plan}`, { token })).status, 200)
      const refused = yield* send("gdocs", `/v1/documents/${plan}:batchUpdate`, { token, json: { requests: [] } })
      assert.strictEqual(refused.status, 403)
      const oauth = yield* OAuth
      const key = { ...keyFile, private_key: Redacted.make(keyFile.private_key) }
      const { accessToken: robot } = yield* oauth.assertServiceAccount(google, key, [scopes.documents])
      const made = yield* send("gdocs", "/v1/documents", { token: Redacted.value(robot), json: {} })
      assert.strictEqual(made.status, 403)
    }))
})
