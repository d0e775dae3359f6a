import type { RawInput } from "../Provider.ts"

/** Where a request goes, in the parts that it is sent in; a `URL` for each request costs as much as its JSON. */
export interface UpstreamUrl {
  /** Scheme and host. */
  readonly origin: string
  /** With the port, where it is not that of the scheme. */
  readonly host: string
  /** Path and query. */
  readonly path: string
}

/** Throws for what is no URL. */
export const upstreamUrl = (url: string): UpstreamUrl => {
  const { host, origin, pathname, search } = new URL(url)
  return { origin, host, path: pathname + search }
}

/** Everything but RFC 3986's unreserved characters is encoded, in UTF-8; a lone surrogate becomes U+FFFD. */
const encode = (value: string): string =>
  encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  )

/** An array is its key repeated; what is `undefined` is left out. */
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

/** What every client and server on the way may take for a step up in the path. */
const dotSegment = /\/\.{1,2}(?:\/|$)/

/**
 * Where an endpoint's request goes: `base` is where its origin is configured to be, `template` its path, of which every
 * placeholder becomes one encoded segment. Throws where the result would be anywhere else than the template says, which
 * input that passed validation cannot bring about.
 */
export const endpointUrl = (base: UpstreamUrl, template: string, input: RawInput): UpstreamUrl => {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = input.path?.[name]
    if (value === undefined) throw new Error(`No value for {${name}} in ${template}`)
    return encode(value)
  })
  if (dotSegment.test(path)) throw new Error(`A path value would leave ${template}`)
  return withQuery({ ...base, path: base.path === "/" ? path : base.path + path }, input.query ?? {})
}
