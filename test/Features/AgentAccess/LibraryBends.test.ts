import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { type AdapterPayload, type Configuration, Provider } from "oidc-provider"
import {
  exchange,
  onEachClient,
  replaceTokenIds,
  unusedKey,
  usedCode,
  withHelp
} from "../../../src/Features/AgentAccess/Authorization/Library/LibraryBends.ts"
import { authorizationRequest, redirectUri } from "./Fixture.ts"

const client = {
  client_id: "agent",
  redirect_uris: [redirectUri],
  application_type: "native" as const,
  token_endpoint_auth_method: "none" as const,
  id_token_signed_response_alg: "ES256" as const
}

const none = async () => undefined

/** The library alone, with `stored` as what its adapter finds. Notes what it destroys. */
const library = (more: Configuration = {}, stored: Readonly<Record<string, AdapterPayload>> = {}) => {
  const destroyed: Array<string> = []
  const provider = new Provider("https://accounts.example.com/base", {
    adapter: (model) => ({
      upsert: none,
      find: async () => stored[model],
      findByUserCode: none,
      findByUid: none,
      consume: none,
      destroy: async () => void destroyed.push(model),
      revokeByGrantId: async () => void destroyed.push(`tokens of ${model}`)
    }),
    clients: [client],
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    jwks: { keys: [unusedKey()] },
    scopes: [],
    features: { devInteractions: { enabled: false }, registration: { enabled: true } },
    interactions: { url: (_, { uid }) => `/consent/${uid}` },
    findAccount: async (_, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    ...more
  })
  provider.proxy = true
  const send = (method: string, url: string, body?: string, contentType = "application/x-www-form-urlencoded") => {
    const message = new IncomingMessage(new Socket())
    message.method = method
    message.headers = body === undefined
      ? {}
      : { "content-type": contentType, "content-length": String(Buffer.byteLength(body)) }
    const received = { message, url, body: body === undefined ? undefined : Buffer.from(body) }
    return exchange(provider.callback(), { ...received, prefix: "/base", host: "accounts.example.com", isSecure: true })
  }
  return { provider, send, destroyed }
}

const { parameters, verifier } = authorizationRequest("agent", { scope: "openid" })

const codeOf = (seconds: number): AdapterPayload => ({
  kind: "AuthorizationCode",
  jti: "code",
  exp: Math.floor(Date.now() / 1000) + seconds,
  consumed: 1,
  clientId: "agent",
  accountId: "member",
  grantId: "grant",
  redirectUri,
  codeChallenge: parameters.code_challenge,
  codeChallengeMethod: "S256"
})

const redemption = new URLSearchParams({
  grant_type: "authorization_code",
  client_id: "agent",
  code: "code",
  redirect_uri: redirectUri,
  code_verifier: verifier
}).toString()

/** What the library destroys when this code is redeemed. */
const redeem = async (code: AdapterPayload) => {
  const grant = { kind: "Grant", jti: "grant", accountId: "member", clientId: "agent" }
  const { destroyed, send } = library({}, { AuthorizationCode: code, Grant: grant })
  const { text } = await send("POST", "/token", redemption)
  assert.include(text, "invalid_grant")
  return destroyed
}

describe.concurrent("The library for agents", () => {
  it("saves tokens under the ids that a replaced function makes, and has no prefix of its own", async () => {
    const { provider } = library()
    const client = await provider.Client.find("agent")
    assert.isDefined(client)
    const of = { client, accountId: "member", grantId: "grant", gty: "authorization_code", scope: "openid" }
    const tokens = () => [new provider.AccessToken(of), new provider.RefreshToken(of)]
    for (const token of tokens()) assert.match(await token.save(), /^[\w-]{43}$/)
    replaceTokenIds(provider, { access: () => Redacted.make("oat_1"), refresh: () => Redacted.make("ort_1") })
    assert.deepStrictEqual(await Promise.all(tokens().map((token) => token.save())), ["oat_1", "ort_1"])
  })

  it("does not say what to send without a client_id", async () => {
    const { status, text } = await library().send("POST", "/token", "grant_type=refresh_token&refresh_token=ort_1")
    assert.strictEqual(status, 400)
    assert.notInclude(text, "client_id")
    assert.include(withHelp(text), "client_id is missing")
  })

  it("ends the tokens of a used code only before it expires", async () => {
    assert.deepStrictEqual(await redeem(codeOf(-3600)), [])
    assert.include(await redeem(usedCode(codeOf(-3600), Date.now())), "Grant")
  })

  it("takes no client without a signing key", async () => {
    assert.isDefined(await library().provider.Client.find("agent"))
    const refused = await library({ jwks: { keys: [] } }).provider.Client.find("agent").catch(String)
    assert.include(refused, "invalid_client_metadata")
  })

  it("checks the metadata of each client once, with or without the property", async () => {
    const seen: Array<unknown> = []
    const { send } = library({ extraClientMetadata: onEachClient(({ client_name }) => void seen.push(client_name)) })
    const register = (client_name: string, more: object = {}) =>
      send(
        "POST",
        "/reg",
        JSON.stringify({ ...client, client_id: undefined, client_name, ...more }),
        "application/json"
      )
    assert.strictEqual((await register("first")).status, 201)
    assert.strictEqual((await register("second", { software_id: "x" })).status, 201)
    assert.deepStrictEqual(seen.filter((name) => name !== undefined), ["first", "second"])
  })

  it("answers without a socket, with addresses of the given host and prefix", async () => {
    const { cookies, headers, status } = await library().send("GET", `/auth?${new URLSearchParams(parameters)}`)
    assert.strictEqual(status, 303)
    assert.match(headers["location"] ?? "", /^\/consent\//)
    assert.isTrue(cookies.some((cookie) => cookie.includes("path=/base/auth/")))
    const document = await library().send("GET", "/.well-known/openid-configuration")
    assert.include(document.text, `"token_endpoint":"https://accounts.example.com/base/token"`)
  })
})
