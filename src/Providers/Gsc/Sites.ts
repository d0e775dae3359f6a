import { Effect, Schema } from "effect"
import { InvalidInput } from "../../Api/Errors.ts"
import type { ProviderCalls } from "../Provider.ts"
import { sitesList } from "./Endpoints.ts"

const domainPrefix = "sc-domain:"

/** A property, or the host that one is looked for by. */
export const siteField = Schema.String.check(
  Schema.isPattern(/^(?:sc-domain:[^/\s]+|https?:\/\/\S+|[^/:\s]+\/?)$/u, {
    message: "Expected sc-domain:example.com, https://www.example.com/ or example.com"
  })
).annotate({
  description: "The property: `sc-domain:example.com` or a URL prefix such as `https://www.example.com/`, as " +
    "`sites.list` gives them, or a bare host such as `example.com`, for which the connection's own property is found."
})

export interface Site {
  readonly siteUrl: string
  readonly permissionLevel?: string
}

const SiteList = Schema.Struct({
  siteEntry: Schema.optionalKey(Schema.Array(Schema.Struct({
    siteUrl: Schema.String,
    permissionLevel: Schema.optionalKey(Schema.String)
  })))
})

/** The property that `site` means. A bare host costs one request; what is a property already is taken as it is. */
export const resolveSite = Effect.fnUntraced(function*(provider: ProviderCalls, site: string) {
  if (site.startsWith(domainPrefix)) return site
  if (/^https?:/.test(site)) return site.endsWith("/") ? site : `${site}/`
  const { siteEntry = [] } = yield* provider.call(sitesList, {}, SiteList)
  const found = propertyOf(site, siteEntry)
  if (found !== undefined) return found
  return yield* new InvalidInput({
    message: `The connection has no property for "${site}".`,
    details: [{ path: ["input", "site"], message: `Expected one of ${choicesOf(siteEntry)}` }]
  })
})

/** Of the properties that the account has verified, the one that covers most of `host`. */
export const propertyOf = (host: string, sites: ReadonlyArray<Site>): string | undefined => {
  const properties = new Map(verified(sites).map(({ siteUrl }) => [canonical(siteUrl), siteUrl]))
  return candidatesOf(host).map((candidate) => properties.get(candidate)).find((found) => found !== undefined)
}

/** `sc-domain:www.…` is a property that hardly exists, but one that is listed is meant. */
const candidatesOf = (host: string): ReadonlyArray<string> => {
  const exact = hostOf(host.replace(/\/$/, ""))
  const other = exact.startsWith("www.") ? exact.slice("www.".length) : `www.${exact}`
  return [
    `${domainPrefix}${exact}`,
    `https://${exact}/`,
    ...(exact.startsWith("www.") ? [`${domainPrefix}${other}`] : []),
    `https://${other}/`,
    `http://${exact}/`,
    `http://${other}/`
  ]
}

/** Lower case and, where there are letters beyond ASCII, punycode. */
const hostOf = (host: string): string => URL.parse(`https://${host}/`)?.hostname ?? host

const canonical = (siteUrl: string): string =>
  siteUrl.startsWith(domainPrefix)
    ? `${domainPrefix}${hostOf(siteUrl.slice(domainPrefix.length))}`
    : URL.parse(siteUrl)?.href ?? siteUrl

/** Permission levels come in either spelling of the provider's enums. */
const verified = (sites: ReadonlyArray<Site>): ReadonlyArray<Site> =>
  sites.filter(({ permissionLevel = "" }) => permissionLevel.replaceAll("_", "").toLowerCase() !== "siteunverifieduser")

const choicesShown = 30

const choicesOf = (sites: ReadonlyArray<Site>): string => {
  const names = verified(sites).map(({ siteUrl }) => siteUrl).toSorted()
  const more = names.length - choicesShown
  return names.length === 0
    ? "the connection's verified properties, of which it has none"
    : `${names.slice(0, choicesShown).join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}
