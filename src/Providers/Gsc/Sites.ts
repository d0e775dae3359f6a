import { Effect } from "effect"
import { InvalidInput } from "../../Api/Errors.ts"
import type { ProviderCalls } from "../Provider.ts"
import { nameSites } from "../Tooling/NameSites.ts"
import { sitesList } from "./Endpoints.ts"
import { type SiteEntry, SiteList } from "./Responses.ts"

const domainPrefix = "sc-domain:"

/** `undefined` for a bare host, which is looked up among the properties of the connection. */
export const namedProperty = (site: string): string | undefined => {
  if (site.startsWith(domainPrefix)) return site
  if (/^https?:/.test(site)) return site.endsWith("/") ? site : `${site}/`
  return undefined
}

export const resolveSite = Effect.fnUntraced(function*(provider: ProviderCalls, site: string) {
  const named = namedProperty(site)
  if (named !== undefined) return named
  const { siteEntry = [] } = yield* provider.call(sitesList, {}, SiteList)
  const found = findProperty(site, siteEntry)
  if (found !== undefined) return found
  return yield* new InvalidInput({
    message: `The connection has no property for "${site}".`,
    details: [{ path: ["input", "site"], message: `Expected one of ${listProperties(site, siteEntry)}` }]
  })
})

export const domainNote = (given: string, site: string): ReadonlyArray<string> => {
  const host = canonicalHost(given.replace(/\/$/, ""))
  return host.startsWith("www.") && site === `${domainPrefix}${host.slice("www.".length)}`
    ? [`The connection has no property for ${host} alone: these are the figures of the whole domain, ${site}.`]
    : []
}

export const findProperty = (host: string, sites: ReadonlyArray<SiteEntry>): string | undefined => {
  const properties = new Map(verifiedSites(sites).map(({ siteUrl }) => [canonicalProperty(siteUrl), siteUrl]))
  return candidateProperties(host).map((candidate) => properties.get(candidate)).find((found) => found !== undefined)
}

const candidateProperties = (host: string): ReadonlyArray<string> => {
  const exact = canonicalHost(host.replace(/\/$/, ""))
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

const canonicalHost = (host: string): string => URL.parse(`https://${withoutMarks(host)}/`)?.hostname ?? host

const canonicalProperty = (siteUrl: string): string =>
  siteUrl.startsWith(domainPrefix)
    ? `${domainPrefix}${canonicalHost(siteUrl.slice(domainPrefix.length))}`
    : URL.parse(withoutMarks(siteUrl))?.href ?? siteUrl

/** The provider lists hosts written from right to left with marks of direction, which no URL has. */
const withoutMarks = (text: string): string => text.replace(/\p{Cf}/gu, "")

/** The provider documents both `siteUnverifiedUser` and `SITE_UNVERIFIED_USER`. */
const verifiedSites = (sites: ReadonlyArray<SiteEntry>): ReadonlyArray<SiteEntry> =>
  sites.filter(({ permissionLevel = "" }) => permissionLevel.replaceAll("_", "").toLowerCase() !== "siteunverifieduser")

const listProperties = (wanted: string, sites: ReadonlyArray<SiteEntry>): string => {
  const names = verifiedSites(sites).map(({ siteUrl }) => siteUrl).toSorted()
  return names.length === 0 ? "the connection's verified properties, of which it has none" : nameSites(wanted, names)
}
