import { Schema } from "effect"
import { storable } from "../Validation/Fields.ts"

/**
 * What a call is about, such as `gsc:sc-domain:acme.com`: the provider's id and the name of the resource there. Names
 * are compared in one spelling, which `siteName`, `urlPrefixName`, `propertyName` and `fileName` give. They return
 * `undefined` for a text that names no resource, which counts as outside of every bound.
 */
export type Resource = string

export type ResourceName = (text: string) => string | undefined

export const resourceOf = (provider: string, name: string): Resource => `${provider}:${name}`

/** In a bound, the files that calls under that bound have created. No file has this id. */
export const createdWord = "created"

/** The limit for a URL and for the text of a bound. */
export const maxResourceLength = 2048

const maxResources = 1000

/** The most names that one function remembers. */
const maxRemembered = 1000

export const Resources = Schema.NullOr(
  Schema.Array(Schema.String.check(Schema.isMaxLength(maxResourceLength), storable)).check(
    Schema.isMaxLength(maxResources)
  )
).annotate({
  description: "Limits calls to these resources, such as `gsc:sc-domain:acme.com`, `ga4:properties/123`, " +
    "`sitesearch:https://acme.com/`, `gsheets:<id>` or `gdocs:created`. `null` means no limit, an empty list allows none."
})
export type Resources = typeof Resources.Type

/** Calls name the same few resources again and again, and `URL` takes time. */
const remembered = (name: ResourceName): ResourceName => {
  const known = new Map<string, string | undefined>()
  return (text) => {
    if (known.has(text)) return known.get(text)
    const found = name(text)
    if (known.size >= maxRemembered) known.clear()
    if (text.length <= maxResourceLength) known.set(text, found)
    return found
  }
}

/** A domain property of Search Console, or a URL prefix. They are different resources. */
export const siteName = remembered((text) => {
  const domain = /^sc-domain:(?<host>[^\s/?#@:\\%[\]]+)$/iu.exec(text)?.groups?.["host"]
  if (domain === undefined) return urlPrefixName(text)
  const host = text.length > maxResourceLength ? undefined : URL.parse(`https://${domain}/`)?.hostname
  return host === undefined || !isSameHost(domain, host) ? undefined : `sc-domain:${host}`
})

/** `undefined` for a URL with a user, a query or a fragment, which no site has. */
export const urlPrefixName = remembered((text) => {
  const url = readUrl(text)
  return url === undefined || /[?#]/.test(text) ? undefined : url.href
})

/** A property of Analytics. `123` is `properties/123`. */
export const propertyName: ResourceName = (text) => {
  const id = /^(?:properties\/)?(?<id>[1-9]\d{0,18})$/.exec(text)?.groups?.["id"]
  return id === undefined ? undefined : `properties/${id}`
}

export const fileName: ResourceName = (text) => /^[\w-]{1,200}$/.test(text) && text !== createdWord ? text : undefined

/**
 * Whether a URL lies inside a site, which is the name of a resource. A URL that clients could read in different ways is
 * outside: with a user, a backslash, a blank, or a dot segment in any encoding.
 */
export const isInsideSite = (site: string, url: string): boolean => {
  const found = readUrl(url)
  if (found === undefined) return false
  const domain = site.startsWith("sc-domain:") ? site.slice("sc-domain:".length) : undefined
  if (domain !== undefined) return found.hostname === domain || found.hostname.endsWith(`.${domain}`)
  return found.href === site || found.href.startsWith(site.endsWith("/") ? site : `${site}/`) ||
    found.href.startsWith(`${site}?`) || found.href.startsWith(`${site}#`)
}

const address = /^https?:\/\/(?<host>[^\s/?#@:\\%[\]]+)(?::\d+)?(?<path>\/[^\s?#\\]*)?(?:[?#][^\s\\]*)?$/iu

const dotSegment = /(?:\/|\\|%2f|%5c)(?:\.|%2e){1,2}(?:$|\/|\\|;|%2f|%5c)/i

const readUrl = (text: string): URL | undefined => {
  // `URL` leaves out some of these.
  if (text.length > maxResourceLength || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)) return undefined
  const found = address.exec(text)
  if (found === null || dotSegment.test(found.groups?.["path"] ?? "")) return undefined
  const url = URL.parse(text)
  return url !== null && isSameHost(found.groups?.["host"] ?? "", url.hostname) ? url : undefined
}

/**
 * Clients read a letter outside of ASCII as `xn--`. Those that `URL` maps to ASCII, and numbers that it reads as
 * addresses, could be other hosts elsewhere. So could a host with a character at which another client ends it, such as
 * `other.com;.acme.com`.
 */
const isSameHost = (given: string, hostname: string): boolean => {
  const labels = hostname.split(".")
  const givenLabels = given.split(".")
  return labels.length === givenLabels.length && labels.every((label, index) => {
    const before = givenLabels[index] ?? ""
    return isLabel.test(label) && (isAscii.test(before) ? before.toLowerCase() === label : label.startsWith("xn--"))
  })
}

const isAscii = /^[\0-\x7f]*$/
const isLabel = /^[\w-]+$/
