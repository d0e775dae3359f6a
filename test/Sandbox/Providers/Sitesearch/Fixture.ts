import { Effect, Schema } from "effect"
import { sandboxApiKey } from "../../../../src/Sandbox/Providers/Sitesearch/FakeProvider.ts"
import type { Sandbox } from "../../../../src/Sandbox/Sandbox.ts"
import { send } from "../../SandboxFixture.ts"

export const shop = "https://www.fernhill.example/"
export const blog = "https://blog.fernhill.example/"

const path = (method: string, parameters: Readonly<Record<string, string>>) =>
  `/webmaster/api.svc/json/${method}?${new URLSearchParams(parameters)}`

export const get = (method: string, parameters: Readonly<Record<string, string>> = {}) =>
  send("sitesearch", path(method, { apikey: sandboxApiKey, ...parameters }))

export const post = (method: string, json: unknown) =>
  send("sitesearch", path(method, { apikey: sandboxApiKey }), { json })

const Row = Schema.StructWithRest(
  Schema.Struct({
    Date: Schema.optionalKey(Schema.String),
    Query: Schema.optionalKey(Schema.String),
    Clicks: Schema.optionalKey(Schema.Number),
    Impressions: Schema.optionalKey(Schema.Number)
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)
const Rows = Schema.fromJsonString(Schema.Struct({ d: Schema.Array(Row) }))

export interface Row {
  readonly [field: string]: unknown
  readonly Date: string
  readonly Query: string
  readonly Clicks: number
  readonly Impressions: number
}

export const rowsOf = (
  method: string,
  parameters: Readonly<Record<string, string>> = {}
): Effect.Effect<ReadonlyArray<Row>, never, Sandbox> =>
  Effect.flatMap(
    get(method, { siteUrl: shop, ...parameters }),
    ({ text }) => Effect.orDie(Schema.decodeEffect(Rows)(text))
  )
    .pipe(Effect.map(({ d }) => d.map((row) => ({ Date: "", Query: "", Clicks: 0, Impressions: 0, ...row }))))

export const dayOf = (wire: string): string => {
  const [, millis = "", sign = "+", hours = "0"] = /^\/Date\((-?\d+)(?:([+-])(\d\d)\d\d)?\)\/$/.exec(wire) ?? []
  return new Date(Number(millis) + Number(`${sign}${hours}`) * 3_600_000).toISOString().slice(0, 10)
}
