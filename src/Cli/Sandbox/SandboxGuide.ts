import { customers } from "../../Sandbox/Data/Portfolio.ts"
import { accounts } from "../../Sandbox/Providers/Ga4/Properties.ts"
import { planId } from "../../Sandbox/Providers/Gdocs/Plan.ts"
import { sites } from "../../Sandbox/Providers/Gsc/Sites.ts"
import { leadsId } from "../../Sandbox/Providers/Gsheets/Leads.ts"
import { stockId } from "../../Sandbox/Providers/Gsheets/Stock.ts"
import { sandboxApiKey } from "../../Sandbox/Providers/Sitesearch/FakeProvider.ts"
import { userSites } from "../../Sandbox/Providers/Sitesearch/Sites.ts"

const verifiedSites = sites.filter(({ permissionLevel }) => permissionLevel !== "siteUnverifiedUser")
const properties = accounts.flatMap(({ properties }) => properties)

const shown = 2

/** A provider's first resources, and how to see the others. */
const resources = (provider: string, names: ReadonlyArray<string>, others: string) => {
  const lines = [...names.slice(0, shown), `${names.length - shown} more: ${others}`]
  return lines.map((line, index) => `  ${(index === 0 ? provider : "").padEnd(11)} ${line}`).join("\n")
}

export const sandboxGuide = (serviceAccountFile: string): string =>
  `Credentials of the sandbox
  service account, for gsc, ga4, gsheets and gdocs:
    ${serviceAccountFile}
  API key, for sitesearch: ${sandboxApiKey}
  sign-in, for any provider: needs no OAuth application

Data of the sandbox
${
    [
      resources("gsc", verifiedSites.map(({ siteUrl }) => siteUrl), "npx oa call gsc sites.list"),
      resources("ga4", properties.map(({ id, name }) => `${id} (${name})`), "npx oa call ga4 ga4_list_properties"),
      resources(
        "sitesearch",
        userSites.filter(({ IsVerified }) => IsVerified).map(({ Url }) => Url),
        "npx oa call sitesearch sitesearch_list_sites"
      ),
      resources(
        "gsheets",
        [leadsId, stockId, ...customers.map(({ files }) => files.spreadsheet)],
        "such as sandbox-oakandivy-orders, one for each domain"
      ),
      resources(
        "gdocs",
        [planId, ...customers.map(({ files }) => files.document)],
        "one for each domain"
      )
    ].join("\n")
  }`
