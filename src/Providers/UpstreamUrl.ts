import type { RawInput } from "./Provider.ts"

export interface UpstreamUrl {
  readonly origin: string
  readonly host: string
  readonly path: string
}

export const upstreamUrl = (url: string): UpstreamUrl => {
  const { host, origin, pathname, search } = new URL(url)
  return { origin, host, path: pathname + search }
}

/** Encodes all but the unreserved characters of RFC 3986. A lone surrogate becomes U+FFFD. */
const encode = (value: string): string =>
  encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  )

export const encodeQuery = (query: NonNullable<RawInput["query"]>): string =>
  Object.entries(query).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((item) => item !== undefined)
      .map((item) => `${encode(key)}=${encode(String(item))}`)
  ).join("&")

export const withQuery = (url: UpstreamUrl, query: NonNullable<RawInput["query"]>): UpstreamUrl => {
  const added = encodeQuery(query)
  return added === "" ? url : { ...url, path: `${url.path}${url.path.includes("?") ? "&" : "?"}${added}` }
}

const dotSegment = /\/\.{1,2}(?:\/|$)/

export const endpointUrl = (base: UpstreamUrl, template: string, input: RawInput): UpstreamUrl => {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = input.path?.[name]
    if (value === undefined) throw new Error(`No value for {${name}} in ${template}`)
    return encode(value)
  })
  if (dotSegment.test(path)) throw new Error(`A path value would leave ${template}`)
  return withQuery({ ...base, path: base.path === "/" ? path : base.path + path }, input.query ?? {})
}
