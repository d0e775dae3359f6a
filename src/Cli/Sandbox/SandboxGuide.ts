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

const row = ([name, text]: readonly [string, string]) => `  ${name.padEnd(16)} ${text}`

export const sandboxGuide = (serviceAccountFile: string): string =>
  `Credentials of the sandbox
${
    ([
      ["service account", `${serviceAccountFile} (gsc, ga4, gsheets, gdocs)`],
      ["API key", `${sandboxApiKey} (sitesearch)`],
      ["sign-in", "any provider; needs no OAuth application"]
    ] as const).map(row).join("\n")
  }

Data of the sandbox
${
    ([
      ["gsc", verifiedSites.map(({ siteUrl }) => siteUrl).join(", ")],
      ["ga4", properties.map(({ id, name }) => `${id} (${name})`).join(", ")],
      ["sitesearch", userSites.filter(({ IsVerified }) => IsVerified).map(({ Url }) => Url).join(", ")],
      ["gsheets", [leadsId, stockId, ...customers.map(({ files }) => files.spreadsheet)].join(", ")],
      ["gdocs", [planId, ...customers.map(({ files }) => files.document)].join(", ")]
    ] as const).map(row).join("\n")
  }`
