import { Effect, Option } from "effect"
import { company } from "../../Data/Company.ts"
import { hashText } from "../../Data/SeededRandom.ts"
import { findFault } from "../../Faults/Faults.ts"
import { type SitesearchError, sitesearchError } from "./SitesearchError.ts"

export interface Site {
  readonly url: string
  readonly isVerified: boolean
}

const shop: Site = { url: `${company.shop}/`, isVerified: true }

const sites: ReadonlyArray<Site> = [
  shop,
  { url: `${company.blog}/`, isVerified: true },
  { url: `${company.old}/`, isVerified: false }
]

const withSlash = (url: string) => url.endsWith("/") ? url : `${url}/`

/** The id that may ask for a failure. */
export const resourceOf = (siteUrl: string): string => withSlash(siteUrl)

/** The last slash is optional; scheme and `www` are not. A site that stands for a failure is the shop. */
export const findVerifiedSite = (siteUrl: string): Effect.Effect<Site, SitesearchError> => {
  if (Option.isSome(findFault(resourceOf(siteUrl)))) return Effect.succeed(shop)
  if (URL.parse(siteUrl) === null) return Effect.fail(sitesearchError("InvalidUrl"))
  const site = sites.find(({ url }) => url === withSlash(siteUrl).toLowerCase())
  return site?.isVerified === true ? Effect.succeed(site) : Effect.fail(sitesearchError("NotAuthorized"))
}

const code = (url: string) =>
  Array.from({ length: 4 }, (_, part) => hashText(`${url} ${part}`).toString(16).padStart(8, "0")).join("")

export const userSites = sites.map(({ isVerified, url }) => ({
  __type: "Site:#Microsoft.Bing.Webmaster.Api",
  AuthenticationCode: code(url).toUpperCase(),
  DnsVerificationCode: `${code(url)}.${new URL(url).hostname}`,
  IsVerified: isVerified,
  Url: url
}))
