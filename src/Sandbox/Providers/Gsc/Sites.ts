import { Effect, Option } from "effect"
import { company } from "../../Data/Company.ts"
import { findFault } from "../../Faults/Faults.ts"
import { GoogleError } from "../Google/GoogleError.ts"

export interface Site {
  readonly siteUrl: string
  readonly permissionLevel: "siteOwner" | "siteFullUser" | "siteUnverifiedUser"
  /** Whether a URL belongs to it. */
  readonly has: (url: string) => boolean
}

const domain = (name: string, permissionLevel: Site["permissionLevel"]): Site => ({
  siteUrl: `sc-domain:${name}`,
  permissionLevel,
  has: (url) => {
    const host = URL.parse(url)?.hostname
    return host === name || host?.endsWith(`.${name}`) === true
  }
})

const urlPrefix = (siteUrl: string, permissionLevel: Site["permissionLevel"]): Site => ({
  siteUrl,
  permissionLevel,
  has: (url) => url.startsWith(siteUrl)
})

const main = domain(company.domain, "siteOwner")

export const sites: ReadonlyArray<Site> = [
  main,
  urlPrefix(`${company.blog}/`, "siteFullUser"),
  urlPrefix(`${company.old}/`, "siteUnverifiedUser")
]

/** The main property under another name: what a site that stands for a failure is when it does answer. */
const faultSite = (siteUrl: string): Site => ({
  ...main,
  siteUrl,
  has: (url) => main.has(url) || URL.parse(url)?.hostname.endsWith(".sandbox.test") === true
})

/** The property as it is listed. */
export const findSite = (siteUrl: string): Effect.Effect<Site, GoogleError> => {
  const property = Option.isSome(findFault(siteUrl))
    ? faultSite(siteUrl)
    : sites.find((each) => each.siteUrl === siteUrl)
  return property === undefined ? Effect.fail(noPermission(siteUrl)) : Effect.succeed(property)
}

/** The property, where the account may see its data. */
export const findVerifiedSite = (siteUrl: string): Effect.Effect<Site, GoogleError> =>
  Effect.filterOrFail(
    findSite(siteUrl),
    ({ permissionLevel }) => permissionLevel !== "siteUnverifiedUser",
    () => noPermission(siteUrl)
  )

export const noPermission = (siteUrl: string): GoogleError =>
  new GoogleError({
    code: 403,
    message: `User does not have sufficient permission for site '${siteUrl}'. ` +
      "See also: https://support.google.com/webmasters/answer/2451999.",
    reason: "forbidden",
    status: null
  })
