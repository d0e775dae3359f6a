import { Effect, Schema } from "effect"
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

const Row = Schema.Struct({ Date: Schema.optionalKey(Schema.String), Query: Schema.optionalKey(Schema.String) })
const Rows = Schema.fromJsonString(Schema.Struct({ d: Schema.Array(Row) }))

export const rowsOf = (method: string, parameters: Readonly<Record<string, string>> = {}) =>
  get(method, { siteUrl: shop, ...parameters }).pipe(
    Effect.flatMap(({ text }) => Effect.orDie(Schema.decodeEffect(Rows)(text))),
    Effect.map(({ d }) => d.map((row) => ({ Date: "", Query: "", ...row })))
  )
