import { Schema, SchemaTransformation } from "effect"
import { flag } from "../Tooling/Fields.ts"
import { windowInput } from "../Tooling/WindowInput.ts"
import { filterFields } from "./Filters.ts"

/** Google returns 403 for `https://example.com` without the trailing slash. */
const SiteUrl = Schema.String.check(
  Schema.isPattern(/^(?:sc-domain:[^/\s]+|https?:\/\/\S+\/)$/u, {
    message: "Expected a property such as sc-domain:example.com or https://www.example.com/ (with the last slash)"
  })
).annotate({
  description: "The property, exactly as `sites.list` returns it: `sc-domain:example.com` for a domain, " +
    "`https://www.example.com/` for a URL prefix. Scheme, `www` and trailing slash matter."
})

const AbsoluteUrl = Schema.String.check(
  Schema.isPattern(/^https?:\/\/\S+$/u, { message: "Expected an absolute URL (http or https)" })
)

export const SitePath = Schema.Struct({ siteUrl: SiteUrl }).annotate({ description: "URL placeholders." })

export const SitemapPath = Schema.Struct({
  siteUrl: SiteUrl,
  feedpath: AbsoluteUrl.annotate({
    description: "Absolute URL of the sitemap, such as `https://www.example.com/sitemap.xml`."
  })
}).annotate({ description: "URL placeholders." })

export const sitemapsListQuery = {
  sitemapIndex: Schema.optionalKey(AbsoluteUrl.annotate({
    description: "URL of a sitemap index. Returns only the sitemaps that it lists."
  }))
}

export const InspectBody = Schema.Struct({
  siteUrl: SiteUrl,
  inspectionUrl: AbsoluteUrl.annotate({
    description: "The absolute URL to inspect. It must be under the property `siteUrl`."
  }),
  languageCode: Schema.optionalKey(Schema.String.annotate({
    description: "Language of the messages, IETF BCP 47, such as `de-CH`.",
    default: "en-US"
  }))
}).annotate({ description: "What to inspect." })

const lowerHost = (site: string): string =>
  site.replace(/^(?:sc-domain:|https?:\/\/)[^/?#]*/i, (start) => start.toLowerCase())

export const siteField = Schema.String.check(
  Schema.isPattern(/^\s*(?:[Ss][Cc]-[Dd][Oo][Mm][Aa][Ii][Nn]:[^/\s]+|[Hh][Tt][Tt][Pp][Ss]?:\/\/\S+|[^/:\s]+\/?)\s*$/u, {
    message: "Expected sc-domain:example.com, https://www.example.com/ or example.com"
  })
).annotate({
  description:
    "The property: `sc-domain:example.com`, a URL prefix such as `https://www.example.com/`, or a bare host, which " +
    "finds the connection's property. The endpoint `sites.list` lists them."
}).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({ decode: (site) => lowerHost(site.trim()), encode: (site: string) => site })
  )
)

export const reportWindow = windowInput({
  description: "Length of the window in whole days, Pacific time.",
  minimum: 1,
  maximum: 486,
  default: 28
})

export const scopeFields = {
  site: siteField,
  ...reportWindow.fields,
  ...filterFields,
  fresh: flag({
    description: "End the window yesterday instead of 3 days ago. Its last days are still being collected.",
    default: false
  })
}

export const maxOffset = 49_000
