import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as oauth from "oauth4webapi"
import { signedIn } from "../../support/SignedIn.ts"
import { TestServer } from "../../support/TestServer.ts"
import { AgentSite, documentOf } from "./AgentSite.ts"
import {
  authorizationRequest,
  authorize,
  browserOf,
  consent,
  form,
  oauthError,
  redeem,
  redirectUri,
  refresh,
  tokensIn
} from "./Fixture.ts"

const promise = <A>(evaluate: () => Promise<A>) => Effect.promise(evaluate)

const insecure = { [oauth.allowInsecureRequests]: true }

layer(TestServer.make({ OAUTH_ALLOW_PRIVATE_CLIENTS: "true" }).pipe(Layer.provideMerge(AgentSite.layer)), {
  excludeTestServices: true
})("An agent", (it) => {
  it.effect("finds the server from the resource, registers, gets tokens, refreshes and revokes them", () =>
    Effect.gen(function*() {
      const { request: send, url } = yield* TestServer
      const resource = new URL(`http://localhost:${new URL(url).port}/mcp`)
      const server = yield* promise(async () => {
        const { authorization_servers: [found = ""] = [] } = await oauth.processResourceDiscoveryResponse(
          resource,
          await oauth.resourceDiscoveryRequest(resource, insecure)
        )
        assert.strictEqual(found, resource.origin)
        const options = { algorithm: "oauth2" as const, ...insecure }
        return oauth.processDiscoveryResponse(new URL(found), await oauth.discoveryRequest(new URL(found), options))
      })
      const client = yield* promise(async () => {
        const metadata = { client_name: "Test agent", redirect_uris: [redirectUri] }
        return oauth.processDynamicClientRegistrationResponse(
          await oauth.dynamicClientRegistrationRequest(server, metadata, insecure)
        )
      })
      const request = authorizationRequest(client.client_id, { resource: resource.href })
      const callback = yield* consent(yield* signedIn(), request, { access: "read_write" })
      oauth.validateAuthResponse(server, client, callback, "the-state")
      const more = { resource: resource.href.replace("http://localhost", "HTTP://LOCALHOST") }
      const redeemed = tokensIn(yield* redeem(client.client_id, request, callback, more))
      const refreshed = tokensIn(yield* refresh(client.client_id, redeemed.refresh_token, more))
      for (const { access_token, expires_in, refresh_token, scope } of [redeemed, refreshed]) {
        assert.match(access_token, /^oat_[0-9A-Za-z]{38}$/)
        assert.match(refresh_token, /^ort_[0-9A-Za-z]{38}$/)
        assert.deepStrictEqual([expires_in, scope], [86_400, "read write"])
        assert.strictEqual((yield* send("GET", "/v1/connections", { key: access_token })).status, 200)
      }
      yield* promise(async () =>
        oauth.processRevocationResponse(
          await oauth.revocationRequest(server, client, oauth.None(), refreshed.access_token, insecure)
        )
      )
      const again = yield* refresh(client.client_id, refreshed.refresh_token)
      assert.strictEqual(oauthError(again), "invalid_grant")
    }))

  it.effect("is known by its metadata document, which is fetched once and outlives its site", () =>
    Effect.gen(function*() {
      const site = yield* AgentSite
      const sql = yield* SqlClient.SqlClient
      const clientId = `${site.url}/agent.json`
      site.publish("/agent.json", { body: documentOf(clientId, { token_endpoint_auth_method: "none" }) })
      const request = authorizationRequest(clientId)
      const member = yield* signedIn()
      const callback = yield* consent(member, request)
      const first = tokensIn(yield* redeem(clientId, request, callback))
      assert.strictEqual(site.requests("/agent.json"), 1)

      site.publish("/agent.json", undefined)
      yield* sql`UPDATE oauth_client_documents SET fresh_until = now() - interval '1 day'`
      const second = tokensIn(yield* refresh(clientId, first.refresh_token))
      tokensIn(yield* refresh(clientId, second.refresh_token))
      assert.strictEqual(site.requests("/agent.json"), 2)
    }))

  it.effect("is refused with a document that is missing, large, redirected, or of another agent", () =>
    Effect.gen(function*() {
      const site = yield* AgentSite
      const browser = browserOf(yield* signedIn())
      const good = documentOf(`${site.url}/good.json`)
      const own = (path: string, more: object) => ({ body: documentOf(`${site.url}${path}`, more) })
      const documents = {
        "/missing.json": undefined,
        "/large.json": own("/large.json", { client_uri: "x".repeat(5200) }),
        "/moved.json": { status: 302, headers: { location: `${site.url}/good.json` }, body: "" },
        "/other.json": { body: good },
        "/text.json": { body: "not JSON" },
        "/secret.json": own("/secret.json", { token_endpoint_auth_method: "client_secret_post" }),
        "/script.json": own("/script.json", { redirect_uris: ["javascript:alert(1)"] })
      }
      site.publish("/good.json", { body: good })
      for (const [path, document] of Object.entries(documents)) {
        site.publish(path, document)
        for (let attempt = 0; attempt < 2; attempt++) {
          const { parameters } = authorizationRequest(`${site.url}${path}`)
          const { headers, status } = yield* authorize(browser, parameters)
          assert.deepStrictEqual([status, headers.get("location")], [400, null], path)
        }
        assert.strictEqual(site.requests(path), 1, path)
      }
      assert.strictEqual(site.requests("/good.json"), 0)
    }))

  it.effect("is a public client even if its document names keys: an assertion proves nothing and does not replace client_id", () =>
    Effect.gen(function*() {
      const site = yield* AgentSite
      const clientId = `${site.url}/key.json`
      site.publish("/key.json", {
        body: documentOf(clientId, {
          token_endpoint_auth_method: "private_key_jwt",
          jwks_uri: `${site.url}/keys.json`,
          scope: "read admin"
        })
      })
      const request = authorizationRequest(clientId)
      const callback = yield* consent(yield* signedIn(), request)
      const assertion = {
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: "e30.e30.e30"
      }
      const alone = yield* form("/oauth/token", { ...assertion, grant_type: "refresh_token", refresh_token: "ort_x" })
      assert.strictEqual(alone.status, 400)
      assert.deepStrictEqual(alone.json, {
        error: "invalid_request",
        error_description:
          "client_id is missing. Agents are public clients here: send client_id, and no client assertion or secret"
      })
      tokensIn(yield* redeem(clientId, request, callback, assertion))
      assert.strictEqual(site.requests("/keys.json"), 0)
    }))
})
