import { Effect } from "effect"
import { sandboxApiKey } from "../../../../src/Sandbox/Providers/Sitesearch/FakeProvider.ts"
import { send } from "../../SandboxFixture.ts"

export const shop = "https://www.fernhill.example/"
export const blog = "https://blog.fernhill.example/"

const path = (method: string, parameters: Readonly<Record<string, string>>) =>
  `/webmaster/api.svc/json/${method}?${new URLSearchParams(parameters)}`

export const get = (method: string, parameters: Readonly<Record<string, string>> = {}) =>
  send("sitesearch", path(method, { apikey: sandboxApiKey, ...parameters }))

export const post = (method: string, json: unknown) =>
  send("sitesearch", path(method, { apikey: sandboxApiKey }), { json })

export const rowsOf = (method: string, parameters: Readonly<Record<string, string>> = {}) =>
  Effect.map(
    get(method, { siteUrl: shop, ...parameters }),
    ({ text }): ReadonlyArray<{ readonly Query: string }> => JSON.parse(text).d
  )
