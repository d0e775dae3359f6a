import type { Examples } from "../Provider.ts"

const siteUrl = "sc-domain:fernhill.example"
const shop = "https://www.fernhill.example/"
const ofProperty = { path: { siteUrl } }

export const gscExamples: Examples = {
  "sites.list": {},
  "sites.get": ofProperty,
  "searchanalytics.query": {
    ...ofProperty,
    body: { startDate: "2026-02-16", endDate: "2026-03-15", dimensions: ["query"] }
  },
  "sitemaps.list": ofProperty,
  "sitemaps.get": { path: { siteUrl, feedpath: "https://blog.fernhill.example/sitemap.xml" } },
  "urlInspection.index.inspect": { body: { siteUrl, inspectionUrl: `${shop}products/dibber` } }
}
