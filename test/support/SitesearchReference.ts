import { Option, Schema } from "effect"
import type { Recorded } from "./LoopbackUpstream.ts"

export type ReadResult =
  | { readonly method: string; readonly parameters: Readonly<Record<string, unknown>> }
  | { readonly refusal: string }

interface Signature {
  readonly verb: "GET" | "POST"
  readonly required: ReadonlyArray<string>
  readonly optional?: ReadonlyArray<string>
}

const siteMethod: Signature = { verb: "GET", required: ["siteUrl"] }

const signatures = new Map<string, Signature>([
  ["GetUserSites", { verb: "GET", required: [] }],
  ["GetQueryStats", siteMethod],
  ["GetPageStats", siteMethod],
  ["GetRankAndTrafficStats", siteMethod],
  ["GetQueryPageStats", { verb: "GET", required: ["siteUrl", "query"] }],
  ["GetPageQueryStats", { verb: "GET", required: ["siteUrl", "page"] }],
  ["GetQueryTrafficStats", { verb: "GET", required: ["siteUrl", "query"] }],
  ["GetCrawlStats", siteMethod],
  ["GetCrawlIssues", siteMethod],
  ["GetFeeds", siteMethod],
  ["GetUrlSubmissionQuota", siteMethod],
  ["GetKeywordStats", { verb: "GET", required: ["q"], optional: ["country", "language"] }],
  ["SubmitUrl", { verb: "POST", required: ["siteUrl", "url"] }],
  ["SubmitUrlBatch", { verb: "POST", required: ["siteUrl", "urlList"] }]
])

/** `prefix` precedes the provider's path. */
export const readRequest = ({ body, headers, method, url }: Recorded, prefix: string): ReadResult => {
  const { pathname, searchParams } = new URL(url, "http://provider.invalid")
  const called = pathname.startsWith(`${prefix}${root}`) ? pathname.slice(prefix.length + root.length) : ""
  const signature = signatures.get(called)
  if (signature === undefined) return { refusal: `404: there is nothing at ${pathname}` }
  if (signature.verb !== method) return { refusal: `405: ${called} is a ${signature.verb}` }

  const query = [...searchParams]
  const repeated = query.find(([name], at) => query.findIndex(([other]) => other === name) < at)
  if (repeated !== undefined) return { refusal: `${repeated[0]} is there twice` }
  const keys = query.filter(([name]) => name === "apikey")
  if (keys.length + (headers.authorization === undefined ? 0 : 1) !== 1) return { refusal: "one credential is due" }
  if (headers.authorization !== undefined && !/^Bearer \S+$/.test(headers.authorization)) {
    return { refusal: "the credential is no bearer token" }
  }

  const inQuery = query.filter(([name]) => name !== "apikey")
  if (method === "GET" && body !== "") return { refusal: "a GET has no body" }
  if (method === "POST" && inQuery.length > 0) return { refusal: "the parameters of a POST are in its body" }
  if (method === "POST" && !/^application\/json;? *(charset=utf-8)?$/i.test(headers["content-type"] ?? "")) {
    return { refusal: "the body is not said to be JSON" }
  }
  const parameters = method === "GET" ? readQuery(inQuery) : readBody(body)
  if (parameters === undefined) return { refusal: "the parameters are not what a JSON parser reads" }
  const missing = signature.required.find((name) => !Object.hasOwn(parameters, name))
  if (missing !== undefined) return { refusal: `${missing} is missing` }
  const unknown = Object.keys(parameters)
    .find((name) => !signature.required.includes(name) && !(signature.optional ?? []).includes(name))
  if (unknown !== undefined) return { refusal: `${unknown} is no parameter of ${called}` }
  const odd = Object.entries(parameters).find(([name, value]) => !fits(name, value))
  return odd === undefined ? { method: called, parameters } : { refusal: `${odd[0]} has the wrong type or size` }
}

const root = "/webmaster/api.svc/json/"

/** Like .NET's `JsonQueryStringConverter`, reads a value that starts with a double quote as a JSON string. */
const readQuery = (query: ReadonlyArray<readonly [string, string]>): Readonly<Record<string, unknown>> | undefined => {
  const read = query.map(([name, value]) => [name, /^[\s\u0085]*"/.test(value) ? parsed(value) : value] as const)
  return read.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(read)
}

const readBody = (body: string): Readonly<Record<string, unknown>> | undefined =>
  Option.getOrUndefined(Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.Unknown))(parsed(body)))

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isUrl = (value: unknown): boolean => typeof value === "string" && /^https?:\/\/./i.test(value)

const fits = (name: string, value: unknown): boolean => {
  switch (name) {
    case "url":
      return isUrl(value)
    case "urlList":
      return Array.isArray(value) && value.length >= 1 && value.length <= 500 && value.every(isUrl)
    default:
      return typeof value === "string" && value.trim() !== ""
  }
}
