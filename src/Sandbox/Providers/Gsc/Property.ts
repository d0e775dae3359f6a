import { Effect, Option } from "effect"
import { company } from "../../Data/Company.ts"
import { findFault } from "../../Faults/Faults.ts"
import { GoogleError } from "../Google/GoogleError.ts"

export interface Property {
  readonly siteUrl: string
  readonly permissionLevel: "siteOwner" | "siteFullUser" | "siteUnverifiedUser"
  /** Whether a URL belongs to it. */
  readonly has: (url: string) => boolean
}

const domain = (name: string, permissionLevel: Property["permissionLevel"]): Property => ({
  siteUrl: `sc-domain:${name}`,
  permissionLevel,
  has: (url) => {
    const host = URL.parse(url)?.hostname
    return host === name || host?.endsWith(`.${name}`) === true
  }
})

const urlPrefix = (siteUrl: string, permissionLevel: Property["permissionLevel"]): Property => ({
  siteUrl,
  permissionLevel,
  has: (url) => url.startsWith(siteUrl)
})

const main = domain(company.domain, "siteOwner")

export const properties: ReadonlyArray<Property> = [
  main,
  urlPrefix(`${company.blog}/`, "siteFullUser"),
  urlPrefix(`${company.old}/`, "siteUnverifiedUser")
]

/** The main property under another name: what a site that stands for a failure is when it does answer. */
const standIn = (siteUrl: string): Property => ({
  ...main,
  siteUrl,
  has: (url) => main.has(url) || URL.parse(url)?.hostname.endsWith(".sandbox.test") === true
})

/** The property as it is listed. */
export const propertyOf = (siteUrl: string): Effect.Effect<Property, GoogleError> => {
  const property = Option.isSome(findFault(siteUrl))
    ? standIn(siteUrl)
    : properties.find((each) => each.siteUrl === siteUrl)
  return property === undefined ? Effect.fail(noPermission(siteUrl)) : Effect.succeed(property)
}

/** The property, where the account may see its data. */
export const verifiedProperty = (siteUrl: string): Effect.Effect<Property, GoogleError> =>
  Effect.filterOrFail(
    propertyOf(siteUrl),
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
