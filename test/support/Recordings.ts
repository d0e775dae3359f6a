import { Schema } from "effect"
import { ga4 } from "../../src/Providers/Ga4/Provider.ts"
import { gdocs } from "../../src/Providers/Gdocs/Provider.ts"
import { gsheets } from "../../src/Providers/Gsheets/Provider.ts"
import type { Provider, RawEndpoint } from "../../src/Providers/Provider.ts"
import { sitesearch } from "../../src/Providers/Sitesearch/Provider.ts"
import { recordedTraffic } from "./OutsideFolder.ts"

export interface RecordedExchange {
  readonly method: string
  readonly url: URL
  readonly sent: unknown
  readonly status: number
  readonly text: string
}

export interface Recording {
  readonly file: string
  readonly provider: Provider
  readonly exchanges: ReadonlyArray<RecordedExchange>
}

const providers: Readonly<Record<string, Provider>> = {
  "google-analytics": ga4,
  "google-sheets": gsheets,
  "google-docs": gdocs,
  "bing-webmaster": sitesearch
}

const Index = Schema.fromJsonString(
  Schema.Array(Schema.Struct({ file: Schema.String, provider: Schema.String, request: Schema.String }))
)

const requests: Readonly<Record<string, string>> = {
  "google-analytics/plausible__ga4_list_properties.json": "GET /v1beta/accountSummaries",
  "bing-webmaster/ms-learn__GetUserSites.json": "GET /webmaster/api.svc/json/GetUserSites"
}

const index = () => Schema.decodeUnknownSync(Index)(recordedTraffic.read("index.json"))

export const recordings = (): ReadonlyArray<Recording> =>
  index().flatMap(({ file, provider: name, request }) => {
    const provider = providers[name]
    const text = recordedTraffic.read(`${file}`)
    return provider === undefined || isSingle(JSON.parse(text))
      ? []
      : [{ file, provider, exchanges: exchangesIn(text, requests[file] ?? request) }]
  })

const Cassette = Schema.Struct({
  interactions: Schema.Array(Schema.Struct({
    request: Schema.Struct({ method: Schema.String, uri: Schema.String, body: Schema.NullOr(Schema.String) }),
    response: Schema.Struct({
      status: Schema.Struct({ code: Schema.Int }),
      body: Schema.Struct({ string: Schema.String })
    })
  }))
})

const Proxied = Schema.Struct({
  interactions: Schema.Array(Schema.Struct({
    request: Schema.Struct({
      method: Schema.String,
      path: Schema.String,
      params: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
      data: Schema.optionalKey(Schema.Unknown)
    }),
    response: Schema.Struct({ status: Schema.Int, body: Schema.Unknown })
  }))
})
const isSingle = Schema.is(Schema.Struct({ response: Schema.Struct({ status: Schema.Int, body: Schema.Unknown }) }))
const isCassette = Schema.is(Cassette)
const isProxied = Schema.is(Proxied)

export const exchangesIn = (text: string, request = ""): ReadonlyArray<RecordedExchange> => {
  const recorded: unknown = JSON.parse(text)
  if (isCassette(recorded)) {
    return recorded.interactions.map(({ request: { body, method, uri }, response }) => ({
      method,
      url: new URL(uri),
      sent: body === null || body === "" ? undefined : JSON.parse(body),
      status: response.status.code,
      text: response.body.string
    }))
  }
  if (isProxied(recorded)) {
    return recorded.interactions.map(({ request: { data, method, params, path }, response }) => ({
      method,
      url: new URL(`${path}?${new URLSearchParams(params)}`, "https://provider.invalid"),
      sent: data,
      status: response.status,
      text: JSON.stringify(response.body)
    }))
  }
  const [method = "", path = ""] = request.split(" ")
  const { documentId, spreadsheetId = documentId } = Object(recorded)
  const url = new URL(path.replace("{id}", spreadsheetId), "https://provider.invalid")
  url.searchParams.delete("apikey")
  return [{ method, url, sent: undefined, status: 200, text }]
}

export const callOf = (
  { endpoints }: Provider,
  { method, sent, url }: RecordedExchange
): { readonly endpoint: string; readonly input: object } | undefined => {
  const [found, ...others] = endpoints.flatMap((endpoint) => {
    const path = endpoint.method === method ? template(endpoint).exec(url.pathname) : null
    return path === null ? [] : [{ endpoint: endpoint.id, groups: path.groups ?? {} }]
  })
  if (found === undefined) return undefined
  if (others.length > 0) throw new Error(`${method} ${url.pathname} could go to several endpoints`)
  const path = Object.entries(found.groups).map(([name, value]) => [name, decodeURIComponent(value)])
  const query = [...new Set(url.searchParams.keys())].map((name) => [name, queryValue(name, url.searchParams)])
  return {
    endpoint: found.endpoint,
    input: {
      ...(path.length === 0 ? {} : { path: Object.fromEntries(path) }),
      ...(query.length === 0 ? {} : { query: Object.fromEntries(query) }),
      ...(sent === undefined ? {} : { body: withoutNulls(sent) })
    }
  }
}

const template = ({ path }: RawEndpoint): RegExp => new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+?)")}$`)

const queryValue = (name: string, parameters: URLSearchParams): unknown => {
  const text = parameters.get(name) ?? ""
  if (name === "ranges") return parameters.getAll(name)
  if (name === "pageSize") return Number(text)
  return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === "true" : text
}

/** Some clients write `null` for an absent field. */
export const withoutNulls = (body: unknown): unknown =>
  Object.fromEntries(Object.entries(Object(body)).filter(([, value]) => value !== null))
