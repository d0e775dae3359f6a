import { Schema, SchemaTransformation } from "effect"
import { compareField } from "../Tooling/Comparison.ts"
import { integer, offsetField, text } from "../Tooling/Fields.ts"
import { windowInput } from "../Tooling/WindowInput.ts"
import { maxWindowDays } from "./TopRows.ts"

export const NoInput = Schema.Record(Schema.String, Schema.Never.annotate({ message: "Unknown field" }))

export const Text = Schema.String.check(Schema.isPattern(/\S/u, { message: "Expected a text that is not blank" }))

/**
 * The provider parses a query value that starts with a double quote as a JSON string, so such a value is sent as one.
 * It skips the blanks of .NET's `String.Trim`: those of JavaScript and U+0085.
 */
const leadingQuote = /^[\s\u0085]*"/

const quote = (value: string): string => leadingQuote.test(value) ? JSON.stringify(value) : value

const unquote = (value: string): string => leadingQuote.test(value) ? JSON.parse(value) : value

export const QueryText = (description: string) =>
  Text.annotate({ description }).pipe(
    Schema.decodeTo(Schema.String, SchemaTransformation.transform({ decode: quote, encode: unquote }))
  )

export const AbsoluteUrl = Schema.String.check(
  Schema.isPattern(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/?#]/u, { message: "Expected an absolute http(s) URL" })
)

/**
 * The provider does not say which URL of a batch it refuses. It decides whether `www.` and subdomains belong to the
 * site.
 */
export const isForeign = (siteUrl: string, url: string): boolean => {
  const site = hostOf(siteUrl)
  const host = hostOf(url)
  return site !== undefined && host !== undefined && !isWithin(host, site) && !isWithin(site, host)
}

const hostOf = (address: string): string | undefined =>
  /^https?:/i.test(address) ? URL.parse(address)?.hostname.replace(/^www\./, "") : undefined

const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)

export const siteField = text({
  description: "The site: its URL as in sitesearch_list_sites, or a bare host such as `example.com`.",
  maxLength: 2048
})

export const topWindow = windowInput({
  description: "Length of the window in days. The source is weekly, so fewer than 14 may hold a single bucket.",
  minimum: 7,
  maximum: maxWindowDays,
  default: 30
})

export const topFields = {
  site: siteField,
  ...topWindow.fields,
  ...compareField,
  limit: integer({ description: "Maximum number of rows to return.", minimum: 1, maximum: 500, default: 25 }),
  offset: offsetField(100_000)
}
