import { Context, Effect, Layer } from "effect"
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { createServer } from "node:http"
import { Provider } from "oidc-provider"
import { listening } from "./Listening.ts"

export interface Account {
  readonly subject: string
}

export class OidcIssuer extends Context.Service<OidcIssuer, {
  readonly url: string
  readonly settings: Readonly<Record<"OIDC_ISSUER" | "OIDC_CLIENT_ID" | "OIDC_CLIENT_SECRET", string>>
  /** Follows the authorization URL as a browser does, and returns the URL of the callback. */
  readonly authorize: (url: string, account: Account) => Effect.Effect<URL>
}>()("openaccounts/test/OidcIssuer") {
  static readonly layer = (redirectUri: string) =>
    Layer.effect(
      OidcIssuer,
      Effect.gen(function*() {
        const server = createServer()
        const url = `http://127.0.0.1:${yield* listening(server)}`
        const client = { id: "openaccounts", secret: "canary-oidc-client-secret-0123456789" }
        const provider = makeProvider(url, client, redirectUri)
        const listener = provider.callback()
        server.on("request", (request, response) => {
          const subject = /(?:^|; )account=([^;]*)/.exec(request.headers.cookie ?? "")?.[1] ?? ""
          if (request.url?.startsWith("/interaction/")) {
            void provider.interactionFinished(request, response, { login: { accountId: subject } })
          } else {
            listener(request, response)
          }
        })

        return OidcIssuer.of({
          url,
          settings: { OIDC_ISSUER: url, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret },
          authorize: (start, { subject }) =>
            Effect.promise(async () => {
              const cookies = new Map([["account", subject]])
              let at = new URL(start)
              for (let hops = 0; at.origin === url; hops++) {
                if (hops > 5) throw new Error(`Too many redirects, to ${at.href}`)
                const cookie = [...cookies].map((pair) => pair.join("=")).join("; ")
                const response = await fetch(at, { redirect: "manual", headers: { cookie } })
                for (const each of response.headers.getSetCookie()) {
                  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(each) ?? []
                  cookies.set(name, value)
                }
                const location = response.headers.get("location")
                if (location === null) throw new Error(await response.text())
                at = new URL(location, url)
              }
              return at
            })
        })
      })
    )
}

const makeProvider = (url: string, client: { readonly id: string; readonly secret: string }, redirectUri: string) => {
  const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })
  return new Provider(url, {
    clients: [{
      client_id: client.id,
      client_secret: client.secret,
      redirect_uris: [redirectUri],
      response_types: ["code"],
      grant_types: ["authorization_code"],
      id_token_signed_response_alg: "ES256"
    }],
    jwks: { keys: [{ ...key, alg: "ES256", use: "sig", kid: "1" }] },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    loadExistingGrant: async ({ oidc: { client, provider, session } }) => {
      const grant = new provider.Grant({ clientId: client?.clientId ?? "", accountId: session?.accountId ?? "" })
      grant.addOIDCScope("openid")
      await grant.save()
      return grant
    }
  })
}
