import { Effect, Order, Schema } from "effect"
import { InvalidInput, type ToolCallError } from "../../Api/Errors.ts"
import { UpstreamError } from "../../Api/Errors/ProviderErrors.ts"
import type { ProviderCalls } from "../Provider.ts"
import { nameSites } from "../Tooling/NameSites.ts"
import { errorCode } from "./Classify.ts"
import { getUserSites } from "./Endpoints.ts"
import { SiteList } from "./Responses.ts"

export const Site = Schema.Struct({
  url: Schema.String,
  verified: Schema.NullOr(Schema.Boolean).annotate({ description: "null when the provider does not say." })
})
export type Site = typeof Site.Type

const decodeSites = Schema.decodeUnknownEffect(SiteList)

/** Decodes the body itself, because an error of `call` would contain the verification codes of sites. */
export const listSites = (provider: ProviderCalls): Effect.Effect<ReadonlyArray<Site>, ToolCallError> =>
  provider.call(getUserSites, {}, Schema.Unknown).pipe(
    Effect.flatMap((body) => Effect.mapError(decodeSites(body), unexpectedBody)),
    Effect.map(({ d }) =>
      (d ?? []).map(({ IsVerified, Url }) => ({ url: Url, verified: IsVerified ?? null })).toSorted(byUrl)
    )
  )

const unexpectedBody = () =>
  new UpstreamError({
    status: 502,
    message: "Site Search Webmaster returned an unexpected response to GetUserSites."
  })

const byUrl = Order.mapInput(Order.String, (site: Site) => site.url)

/**
 * The listed site that is closest to `given`, which may lack a scheme, a trailing slash or `www.`, or start with
 * `sc-domain:`. All sites are URL prefixes. Verified sites come first.
 */
export const matchSite = (given: string, sites: ReadonlyArray<Site>): Site | undefined => {
  const exact = sites.find(({ url }) => url === given.trim())
  const wanted = parseAddress(given)
  if (exact !== undefined || wanted === undefined) return exact
  const distanceTo = (site: Site): number | undefined => {
    const found = parseAddress(site.url)
    if (found === undefined || found.path !== wanted.path || bareHost(found) !== bareHost(wanted)) return undefined
    const sameScheme = found.scheme === (wanted.scheme ?? "https")
    const sameHost = found.host === wanted.host
    if (wanted.scheme !== undefined && sameHost && sameScheme) return 0
    return 1 + (site.verified === true ? 0 : 4) + (sameHost ? 0 : 2) + (sameScheme ? 0 : 1)
  }
  return sites
    .flatMap((site) => {
      const distance = distanceTo(site)
      return distance === undefined ? [] : [{ site, distance }]
    })
    .toSorted(Order.mapInput(Order.Number, ({ distance }) => distance))
    .at(0)?.site
}

interface Address {
  readonly scheme: string | undefined
  readonly host: string
  readonly path: string
}

const parseAddress = (text: string): Address | undefined => {
  const plain = text.trim().replace(/^sc-domain:/i, "")
  const scheme = /^https?(?=:\/\/)/i.exec(plain)?.[0].toLowerCase()
  const url = URL.parse(scheme === undefined ? `https://${plain}` : plain)
  return url === null ? undefined : { scheme, host: url.host, path: url.pathname.replace(/\/+$/, "") }
}

/** `undefined` for a text without a scheme, which only the list of sites completes. */
export const namedSite = (given: string): string | undefined => /^\s*https?:/i.test(given) ? given.trim() : undefined

const bareHost = ({ host }: Address): string => host.replace(/^www\./, "")

export const resolveSite = Effect.fnUntraced(function*(provider: ProviderCalls, given: string) {
  const sites = yield* listSites(provider)
  const site = matchSite(given, sites)
  if (site !== undefined) return site
  return yield* new InvalidInput({
    message: `The connected account has no site "${given}".`,
    details: [{ path: ["input", "site"], message: unknownSiteMessage(given, sites) }]
  })
})

const unknownSiteMessage = (wanted: string, sites: ReadonlyArray<Site>): string =>
  sites.length === 0
    ? "The connected account has no sites"
    : `Not a site of the connected account, which has ${nameSites(wanted, sites.map(({ url }) => url))}`

const notAuthorized = 14

export const explainUnverified = (site: Site) => <A, E>(effect: Effect.Effect<A, E | UpstreamError>) =>
  Effect.catchIf(
    effect,
    (error): error is UpstreamError =>
      error instanceof UpstreamError && site.verified === false && errorCode(error.details) === notAuthorized,
    (error) =>
      Effect.fail(
        new UpstreamError({
          status: error.status,
          message: `${error.message} ${site.url} is on the account, but not verified.`,
          details: error.details,
          retryAfter: error.retryAfter
        })
      )
  )
