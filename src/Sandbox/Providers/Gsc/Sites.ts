import { Effect, Option } from "effect"
import { company } from "../../Data/Company.ts"
import { type Customer, customers } from "../../Data/Portfolio.ts"
import { findFault } from "../../Faults/Faults.ts"
import { GoogleError } from "../Google/GoogleError.ts"

export interface Site {
  readonly siteUrl: string
  readonly permissionLevel: "siteOwner" | "siteFullUser" | "siteUnverifiedUser"
  readonly contains: (url: string) => boolean
  /** None for the sites of Fernhill. */
  readonly customer?: Customer
}

const domain = (name: string, permissionLevel: Site["permissionLevel"]): Site => ({
  siteUrl: `sc-domain:${name}`,
  permissionLevel,
  contains: (url) => {
    const host = URL.parse(url)?.hostname
    return host === name || host?.endsWith(`.${name}`) === true
  }
})

const urlPrefix = (siteUrl: string, permissionLevel: Site["permissionLevel"]): Site => ({
  siteUrl,
  permissionLevel,
  contains: (url) => url.startsWith(siteUrl)
})

const mainSite = domain(company.domain, "siteOwner")

export const sites: ReadonlyArray<Site> = [
  mainSite,
  urlPrefix(`${company.blog}/`, "siteFullUser"),
  urlPrefix(`${company.formerShop}/`, "siteUnverifiedUser"),
  ...customers.flatMap((customer) => [
    { ...domain(customer.domain, "siteFullUser"), customer },
    { ...urlPrefix(`https://www.${customer.domain}/`, "siteFullUser"), customer }
  ])
]

const faultSite = (siteUrl: string): Site => ({
  ...mainSite,
  siteUrl,
  contains: (url) => mainSite.contains(url) || URL.parse(url)?.hostname.endsWith(".sandbox.test") === true
})

export const findSite = (siteUrl: string): Effect.Effect<Site, GoogleError> => {
  const site = Option.isSome(findFault(siteUrl))
    ? faultSite(siteUrl)
    : sites.find((each) => each.siteUrl === siteUrl)
  return site === undefined ? Effect.fail(noPermission(siteUrl)) : Effect.succeed(site)
}

export const findVerifiedSite = (siteUrl: string): Effect.Effect<Site, GoogleError> =>
  Effect.filterOrFail(
    findSite(siteUrl),
    ({ permissionLevel }) => permissionLevel !== "siteUnverifiedUser",
    () => noPermission(siteUrl)
  )

const noPermission = (siteUrl: string): GoogleError =>
  new GoogleError({
    code: 403,
    message: `User does not have sufficient permission for site '${siteUrl}'. ` +
      "See also: https://support.google.com/webmasters/answer/2451999.",
    reason: "forbidden",
    status: null
  })
