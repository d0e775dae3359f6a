import { Record } from "effect"
import type { RawEndpoint, SmartTool } from "../../../src/Providers/Provider.ts"
import { inputs } from "../../Service/EveryOperation.ts"
import { inside, type Kind } from "./Spellings.ts"

export interface NamingCase {
  readonly kind: Kind
  /** An input that names the resource. */
  readonly at: (name: string) => unknown
}

const page = "https://acme.com/page"

/** The fields that name a resource. */
const fields: Readonly<Record<string, Kind>> = {
  siteUrl: "site",
  site: "site",
  inspectionUrl: "site",
  url: "site",
  urlList: "site",
  property: "property",
  spreadsheetId: "file",
  spreadsheet: "file",
  documentId: "document",
  document: "document"
}

const pages = { inspectionUrl: page, url: page, urlList: [page] }

const withFields = (input: unknown, values: Readonly<Record<string, unknown>>): unknown =>
  JSON.parse(JSON.stringify(input), (field, value: unknown) => values[field] ?? value)

const casesOf = (provider: string, input: unknown): ReadonlyArray<NamingCase> => {
  const known = withFields(input, { ...Record.map(fields, (kind) => inside[kind]), ...pages })
  return Object.entries(fields).flatMap(([field, kind]) => {
    if (!JSON.stringify(input).includes(`"${field}":`)) return []
    const at = (name: string) => withFields(known, { [field]: field === "urlList" ? [page, name] : name })
    // In Search Console, a URL prefix and a domain are two kinds of sites.
    const isAnySite = provider === "gsc" && !(field in pages)
    return [{ kind, at }, ...isAnySite ? [{ kind: "domain", at } as const] : []]
  })
}

const requests = [{ dateRanges: [{ startDate: "7daysAgo", endDate: "yesterday" }], metrics: [{ name: "sessions" }] }]

/** What no example of an operation names. */
const more: Readonly<Record<string, ReadonlyArray<NamingCase>>> = {
  "urlInspection.index.inspect": [
    { kind: "page", at: (inspectionUrl) => ({ body: { siteUrl: "sc-domain:acme.com", inspectionUrl } }) }
  ],
  "properties.batchRunReports": [
    { kind: "property", at: (property) => ({ path: { property }, body: { requests } }) },
    {
      kind: "property",
      at: (property) => ({
        path: { property: "123" },
        body: { requests: [...requests, ...requests.map((request) => ({ ...request, property }))] }
      })
    }
  ]
}

/** One case for each place where an input names a resource, by operation. */
export const naming: Readonly<Record<string, ReadonlyArray<NamingCase>>> = {
  ...more,
  ...Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => {
      const [provider = "", id = ""] = name.split(" ")
      return [id, [...casesOf(provider, input), ...more[id] ?? []]] as const
    }).filter(([, cases]) => cases.length > 0)
  )
}

const acme = { property: "properties/123", displayName: "acme.com" }
const other = { property: "properties/9", displayName: "other.com" }

/** Operations that list resources, with a response of the provider. */
export const listing: Readonly<Record<string, unknown>> = {
  "sites.list": { siteEntry: [{ siteUrl: "https://acme.com/" }, { siteUrl: "sc-domain:other.com" }, {}] },
  "accountSummaries.list": {
    accountSummaries: [
      { account: "accounts/1", displayName: "Acme", propertySummaries: [acme] },
      { account: "accounts/2", displayName: "other.com", propertySummaries: [other] },
      { account: "accounts/3", displayName: "Both", propertySummaries: [acme, { ...other, property: "properties/99" }] }
    ]
  },
  GetUserSites: { d: [{ Url: "https://acme.com/", IsVerified: true }, { Url: "https://other.com/", IsVerified: true }] }
}

/** Tools that list resources, with the operation that they use. */
export const listingTools: Readonly<Record<string, string>> = {
  ga4_list_properties: "accountSummaries.list",
  sitesearch_list_sites: "GetUserSites"
}

export const creating: Readonly<Record<string, unknown>> = {
  "spreadsheets.create": {},
  sheets_create: { title: "New" },
  "documents.create": {},
  docs_create: { title: "New" }
}

export const aboutNone: Readonly<Record<string, unknown>> = {
  GetKeywordStats: { query: { q: "boots" } },
  "properties.getMetadata": { path: { property: "0" } }
}

export const idOf = (row: RawEndpoint | SmartTool): string => "id" in row ? row.id : row.name
