import { ConfigProvider, Effect, Layer, ManagedRuntime, Option } from "effect"
import { originsOf } from "../../../src/Providers/Provider.ts"
import { fakeProviders, providers } from "../../../src/Registrations.ts"
import { company } from "../../../src/Sandbox/Data/Company.ts"
import { SandboxStore } from "../../../src/Sandbox/Data/SandboxStore.ts"
import { oauthClients, signRefreshToken } from "../../../src/Sandbox/Identity/Identity.ts"
import { makeKeyFile } from "../../../src/Sandbox/Identity/KeyFile.ts"
import { knownScopes } from "../../../src/Sandbox/Identity/Scopes.ts"
import { sandboxApiKey } from "../../../src/Sandbox/Providers/Sitesearch/FakeProvider.ts"
import { Sandbox } from "../../../src/Sandbox/Sandbox.ts"
import { Hosting } from "../../../src/Sandbox/Server/Hosting.ts"
import { makeMatcher } from "../../../src/Sandbox/Server/Routes.ts"
import { Control } from "./Control.ts"
import type { OAuthClient, SandboxOptions, StartSandbox } from "./Types.ts"

const settingsOf = ({ quotas = false }: SandboxOptions) => ({
  SANDBOX_QUOTAS: quotas === false ? "off" : "on",
  ...typeof quotas === "object" ? { QUOTAS: JSON.stringify(quotas) } : {}
})

const clientOf = (name: "google" | "sitesearch"): OAuthClient => ({
  client_id: oauthClients[name].id,
  client_secret: oauthClients[name].secret
})

const credentials = () => ({
  google: {
    ...clientOf("google"),
    refresh_token: signRefreshToken("google", {
      grant: "openaccounts-sandbox",
      account: company.account,
      scope: [...knownScopes.google].join(" ")
    })
  },
  sitesearch: { ...clientOf("sitesearch"), api_key: sandboxApiKey }
})

const findEndpoint = makeMatcher(
  providers.flatMap(({ endpoints }) =>
    endpoints.flatMap(({ method, origin, path }) =>
      method === "GET" || method === "POST" || method === "PUT" ? [{ method, path, origin: origin.id }] : []
    )
  )
)

const originOf = (method: string, url: string): string | undefined =>
  Option.getOrUndefined(findEndpoint(method, url.split("?")[0] ?? ""))?.route.origin

/** The five stand-in providers on a port of loopback. What is changed in them is kept in memory. */
export const startSandbox: StartSandbox = async (options = {}) => {
  const control = new Control()
  const runtime = ManagedRuntime.make(
    Sandbox.layer(fakeProviders, providers).pipe(
      Layer.provide(SandboxStore.layerMemory),
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settingsOf(options)))),
      Layer.provide(
        Layer.succeed(Hosting, { port: options.port ?? 0, around: control.around, routes: control.routes, originOf })
      )
    )
  )
  const { urlOf } = await runtime.runPromise(Effect.orDie(Sandbox))
  return {
    url: urlOf("").slice(0, -1),
    urls: {
      gsc: urlOf("gsc"),
      ga4Data: urlOf("ga4Data"),
      ga4Admin: urlOf("ga4Admin"),
      gsheets: urlOf("gsheets"),
      gdocs: urlOf("gdocs"),
      sitesearch: urlOf("sitesearch"),
      googleAuth: urlOf("googleAuth"),
      googleToken: urlOf("googleToken"),
      googleRevoke: urlOf("googleRevoke"),
      googleUserinfo: urlOf("googleUserinfo"),
      sitesearchAuth: urlOf("sitesearchAuth"),
      sitesearchToken: urlOf("sitesearchToken")
    },
    credentials: credentials(),
    settings: Object.fromEntries(originsOf(providers).map(({ id, setting }) => [setting, urlOf(id)])),
    makeServiceAccountKey: makeKeyFile,
    fail: control.fail,
    asked: control.asked,
    forget: control.forget,
    stop: () => runtime.dispose()
  }
}
