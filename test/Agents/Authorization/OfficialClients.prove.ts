import { assert, layer } from "@effect/vitest"
import { auth as authOfClient } from "@modelcontextprotocol/client"
import { auth as authOfSdk } from "@modelcontextprotocol/sdk/client/auth.js"
import { Effect, Layer } from "effect"
import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { freePort } from "../../../scripts/FreePort.ts"
import { signedIn } from "../../support/SignedIn.ts"
import { TestServer } from "../../support/TestServer.ts"
import { AgentSite, documentOf } from "./AgentSite.ts"
import { type AuthorizationRequest, baseUrlOf, consent, redirectUri, registered } from "./Fixture.ts"

const promise = <A>(evaluate: () => Promise<A>) => Effect.promise(evaluate)

interface Tokens {
  access_token: string
  token_type: string
  refresh_token?: string
}

interface Registration {
  client_id: string
}

const makeStore = (clientMetadataUrl: string | undefined) => {
  const kept: { client?: Registration; tokens?: Tokens; verifier?: string; url?: URL } = {}
  const provider = {
    redirectUrl: redirectUri,
    clientMetadata: { client_name: "Official client", redirect_uris: [redirectUri] },
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    state: () => "the-state",
    clientInformation: () => kept.client,
    saveClientInformation: (client: Registration) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens: Tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url: URL) => void (kept.url = url),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? ""
  }
  return { kept, provider }
}

const requestOf = (url: URL | undefined): AuthorizationRequest => ({
  verifier: "",
  parameters: Object.fromEntries(url?.searchParams ?? [])
})

type Store = ReturnType<typeof makeStore>

const clients: ReadonlyArray<
  readonly [
    string,
    (
      provider: Store["provider"],
      options: { serverUrl: string; authorizationCode?: string; iss?: string }
    ) => Promise<string>
  ]
> = [
  ["client", authOfClient],
  ["sdk", authOfSdk]
]

layer(TestServer.make({ OAUTH_ALLOW_PRIVATE_CLIENTS: "true" }).pipe(Layer.provideMerge(AgentSite.layer)), {
  excludeTestServices: true
})("The official clients", (it) => {
  for (const [name, auth] of clients) {
    for (const how of ["registration", "metadata document"] as const) {
      it.effect(`sign in with ${name} and a ${how}, and refresh`, () =>
        Effect.gen(function*() {
          const server = yield* TestServer
          const site = yield* AgentSite
          const serverUrl = `${baseUrlOf(server)}/mcp`
          const document = `${site.url}/${name}.json`
          site.publish(`/${name}.json`, { body: documentOf(document) })
          const { kept, provider } = makeStore(how === "registration" ? undefined : document)
          assert.strictEqual(yield* promise(() => auth(provider, { serverUrl })), "REDIRECT")
          assert.strictEqual(kept.url?.searchParams.get("resource"), serverUrl)
          if (how === "metadata document") assert.strictEqual(kept.url?.searchParams.get("client_id"), document)
          const callback = yield* consent(yield* signedIn(), requestOf(kept.url))
          const authorizationCode = callback.searchParams.get("code") ?? ""
          const iss = callback.searchParams.get("iss") ?? ""
          assert.strictEqual(yield* promise(() => auth(provider, { serverUrl, authorizationCode, iss })), "AUTHORIZED")
          const first = kept.tokens?.access_token
          assert.strictEqual(yield* promise(() => auth(provider, { serverUrl })), "AUTHORIZED")
          assert.notStrictEqual(kept.tokens?.access_token, first)
          const { status } = yield* server.request("GET", "/v1/connections", { key: kept.tokens?.access_token })
          assert.strictEqual(status, 200)
        }))
    }
  }

  it.effect("find everything that the official conformance suite checks", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const member = yield* signedIn()
      const clientId = yield* registered({ redirect_uris: ["http://127.0.0.1/callback"] })
      const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")
      const url = baseUrlOf(server)
      const suite = spawn(process.execPath, [
        join(dirname(manifest), "dist/index.js"),
        "authorization",
        "--url",
        url,
        "--client-id",
        clientId,
        "--resource",
        `${url}/mcp`,
        "--port",
        `${yield* promise(freePort)}`
      ])
      let output = ""
      suite.stderr.on("data", (chunk) => output += chunk)
      const asked = yield* Effect.callback<URL>((resume) => {
        suite.stdout.on("data", (chunk) => {
          output += chunk
          const [found] =
            /http:\/\/localhost:\d+\/oauth\/authorize\?\S+(?=\s[^]*Callback server started)/.exec(output) ?? []
          if (found !== undefined) resume(Effect.succeed(new URL(found)))
        })
      })
      const callback = yield* consent(member, requestOf(asked))
      yield* promise(() => fetch(callback))
      const exitCode = yield* Effect.callback<number | null>((resume) => {
        suite.on("close", (code) => resume(Effect.succeed(code)))
      })
      assert.include(output, "3 passed, 0 failed")
      assert.strictEqual(exitCode, 0)
    }))
})
