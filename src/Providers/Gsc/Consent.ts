import { googleConsent } from "../Google/Consent.ts"
import type { Consent } from "../Provider.ts"
import { sitesGet } from "./Endpoints.ts"

export const gscConsent: Consent = {
  ...googleConsent,
  product: "Google Search Console",
  reads: "read your Search Console data",
  writes: "read and change your Search Console data",
  invitation: {
    steps: [
      "Open Search Console and choose the site.",
      "Open Settings, then Users and permissions, and choose Add user.",
      "Enter the address, choose the permission Restricted, and choose Add."
    ],
    resource: {
      label: "The site",
      hint: "As Search Console shows it: a domain, or an address that begins with https://"
    },
    read: (text) => {
      const siteUrl = propertyOf(text)
      return siteUrl === undefined ? undefined : { endpoint: sitesGet, input: { path: { siteUrl } } }
    }
  }
}

const propertyOf = (text: string): string | undefined => {
  if (/^sc-domain:[^\s/]+$/.test(text)) return text
  if (/^https?:\/\/\S+$/.test(text)) return URL.parse(text)?.href
  return /^[^\s/:]+\.[^\s/:]+$/.test(text) ? `sc-domain:${text}` : undefined
}
