import type { RawInput } from "./Provider.ts"

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

export const withQuery = (url: URL, query: NonNullable<RawInput["query"]>): URL => {
  const added = encodeQuery(query)
  if (added === "") return url
  const next = new URL(url)
  next.search = next.search === "" ? added : `${next.search}&${added}`
  return next
}

interface Base {
  readonly origin: string
  /** A path without its last slash. */
  readonly prefix: string
}

/** There are as many as there are origins in the settings. */
const bases = new Map<string, Base>()

const parseBase = (base: string): Base => {
  const known = bases.get(base)
  if (known !== undefined) return known
  const { origin, pathname } = new URL(base)
  const parsed = { origin, prefix: pathname.replace(/\/$/, "") }
  bases.set(base, parsed)
  return parsed
}

/**
 * Where an endpoint's request goes: `base` is its configured origin, `template` its path, of which every placeholder
 * becomes one encoded segment. Throws where the result would be anywhere else than the template says, which input that
 * passed validation cannot bring about.
 */
export const endpointUrl = (base: string, template: string, input: RawInput): URL => {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = input.path?.[name]
    if (value === undefined) throw new Error(`No value for {${name}} in ${template}`)
    return encode(value)
  })
  const { origin, prefix } = parseBase(base)
  const url = new URL(base + path)
  if (url.origin !== origin || url.pathname !== prefix + path) {
    throw new Error(`A path value would leave ${template}`)
  }
  return withQuery(url, input.query ?? {})
}
