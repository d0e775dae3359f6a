import { Effect, Option } from "effect"
import { company } from "../../Data/Company.ts"
import { type Customer, customers } from "../../Data/Portfolio.ts"
import { hashText } from "../../Data/SeededRandom.ts"
import { findFault } from "../../Faults/Faults.ts"
import { type SitesearchError, sitesearchError } from "./SitesearchError.ts"

export interface Site {
  readonly url: string
  readonly isVerified: boolean
  /** None for the sites of Fernhill. */
  readonly customer?: Customer
}

const shop: Site = { url: `${company.shop}/`, isVerified: true }

const sites: ReadonlyArray<Site> = [
  shop,
  { url: `${company.blog}/`, isVerified: true },
  { url: `${company.formerShop}/`, isVerified: false },
  ...customers.map((customer) => ({ url: `https://www.${customer.domain}/`, isVerified: true, customer }))
]

export const normalizeSiteUrl = (url: string): string => url.endsWith("/") ? url : `${url}/`

export const findVerifiedSite = (siteUrl: string): Effect.Effect<Site, SitesearchError> => {
  if (Option.isSome(findFault(normalizeSiteUrl(siteUrl)))) return Effect.succeed(shop)
  if (URL.parse(siteUrl) === null) return Effect.fail(sitesearchError("InvalidUrl"))
  const site = sites.find(({ url }) => url === normalizeSiteUrl(siteUrl).toLowerCase())
  return site?.isVerified === true ? Effect.succeed(site) : Effect.fail(sitesearchError("NotAuthorized"))
}

const verificationCode = (url: string) =>
  Array.from({ length: 4 }, (_, part) => hashText(`${url} ${part}`).toString(16).padStart(8, "0")).join("")

export const userSites = sites.map(({ isVerified, url }) => ({
  __type: "Site:#Microsoft.Bing.Webmaster.Api",
  AuthenticationCode: verificationCode(url).toUpperCase(),
  DnsVerificationCode: `${verificationCode(url)}.${new URL(url).hostname}`,
  IsVerified: isVerified,
  Url: url
}))
