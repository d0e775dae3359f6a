import { assert, it } from "@effect/vitest"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { Provider } from "oidc-provider"
import { exchange, unusedKey } from "../../../src/Features/AgentAccess/Authorization/Library/LibraryBends.ts"
import { authorizationRequest, redirectUri } from "./Fixture.ts"

it("The library for agents answers without a socket, with addresses of the given host and prefix", async () => {
  const provider = new Provider("https://accounts.example.com/base", {
    clients: [{ client_id: "agent", redirect_uris: [redirectUri], token_endpoint_auth_method: "none" }],
    clientDefaults: { application_type: "native", id_token_signed_response_alg: "ES256" },
    jwks: { keys: [unusedKey()] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/consent/${uid}` }
  })
  provider.proxy = true
  const send = (url: string) => {
    const message = new IncomingMessage(new Socket())
    message.method = "GET"
    const received = { message, url, body: undefined }
    return exchange(provider.callback(), { ...received, prefix: "/base", host: "accounts.example.com", isSecure: true })
  }
  const { parameters } = authorizationRequest("agent", { scope: "openid" })
  const { cookies, headers, status } = await send(`/auth?${new URLSearchParams(parameters)}`)
  assert.strictEqual(status, 303)
  assert.match(headers["location"] ?? "", /^\/consent\//)
  assert.isTrue(cookies.some((cookie) => cookie.includes("path=/base/auth/")))
  const document = await send("/.well-known/openid-configuration")
  assert.include(document.text, `"token_endpoint":"https://accounts.example.com/base/token"`)
})
