import { Effect, Order, Schema } from "effect"
import { InvalidInput, type ProviderError, UpstreamError } from "../../Api/Errors.ts"
import type { ProviderCalls } from "../Provider.ts"
import { SiteList } from "./Answers.ts"
import { errorCode } from "./Classify.ts"
import { getUserSites } from "./Endpoints.ts"

export interface Site {
  readonly url: string
  readonly verified: boolean
}

const decodeSites = Schema.decodeUnknownEffect(SiteList)

/**
 * The sites on the account, by URL. An error over a body of an unknown form shows that body as its details; not so
 * here, where it holds verification codes.
 */
export const listSites = (provider: ProviderCalls): Effect.Effect<ReadonlyArray<Site>, ProviderError> =>
  provider.call(getUserSites, {}, Schema.Unknown).pipe(
    Effect.flatMap((body) => Effect.mapError(decodeSites(body), unknownForm)),
    Effect.map(({ d }) =>
      (d ?? []).map(({ IsVerified, Url }) => ({ url: Url, verified: IsVerified === true })).toSorted(byUrl)
    )
  )

const unknownForm = () =>
  new UpstreamError({
    status: 502,
    message: "Site Search Webmaster answered GetUserSites in a form that this service does not know."
  })

const byUrl = Order.mapInput(Order.String, (site: Site) => site.url)

/**
 * The site of the account that `given` means, exactly as the provider lists it. There are URL-prefix sites only, so
 * `example.com`, `sc-domain:example.com` and a URL without its last slash are the site of that host; with or without
 * `www.` where nothing closer is there. A verified site goes before one that is not.
 */
export const matchSite = (given: string, sites: ReadonlyArray<Site>): Site | undefined => {
  const exact = sites.find(({ url }) => url === given.trim())
  const wanted = address(given)
  if (exact !== undefined || wanted === undefined) return exact
  const distance = (site: Site): number | undefined => {
    const found = address(site.url)
    if (found === undefined || found.path !== wanted.path || bareHost(found) !== bareHost(wanted)) return undefined
    const sameScheme = found.scheme === (wanted.scheme ?? "https")
    const sameHost = found.host === wanted.host
    if (wanted.scheme !== undefined && sameHost && sameScheme) return 0
    return 1 + (site.verified ? 0 : 4) + (sameHost ? 0 : 2) + (sameScheme ? 0 : 1)
  }
  return sites
    .flatMap((site) => {
      const far = distance(site)
      return far === undefined ? [] : [{ site, far }]
    })
    .toSorted(Order.mapInput(Order.Number, ({ far }) => far))
    .at(0)?.site
}

interface Address {
  readonly scheme: string | undefined
  readonly host: string
  readonly path: string
}

const address = (text: string): Address | undefined => {
  const plain = text.trim().replace(/^sc-domain:/i, "")
  const scheme = /^https?(?=:\/\/)/i.exec(plain)?.[0].toLowerCase()
  const url = URL.parse(scheme === undefined ? `https://${plain}` : plain)
  return url === null ? undefined : { scheme, host: url.host, path: url.pathname.replace(/\/+$/, "") }
}

const bareHost = ({ host }: Address): string => host.replace(/^www\./, "")

/** Fails with `InvalidInput` that names the sites there are. */
export const resolveSite = Effect.fnUntraced(function*(provider: ProviderCalls, given: string) {
  const sites = yield* listSites(provider)
  const site = matchSite(given, sites)
  if (site !== undefined) return site
  return yield* new InvalidInput({ details: [{ path: ["input", "site"], message: unknownSite(sites) }] })
})

const named = 20

const unknownSite = (sites: ReadonlyArray<Site>): string => {
  if (sites.length === 0) return "The connected account has no sites"
  const more = sites.length > named ? `, and ${sites.length - named} more` : ""
  return `Not a site of the connected account, which has ${
    sites.slice(0, named).map(({ url }) => url).join(", ")
  }${more}`
}

/** NotAuthorized; for a site on the account: it is not verified. */
const notAuthorized = 14

/** Says why the provider refuses the data of `site`, which its own words do not. */
export const explainUnverified = (site: Site) => <A, E>(effect: Effect.Effect<A, E | UpstreamError>) =>
  Effect.catchIf(
    effect,
    (error): error is UpstreamError =>
      error instanceof UpstreamError && !site.verified && errorCode(error.details) === notAuthorized,
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
