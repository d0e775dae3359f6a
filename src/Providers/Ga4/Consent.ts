import { googleConsent } from "../Google/Consent.ts"
import type { Consent } from "../Provider.ts"
import { propertiesGetMetadata } from "./Endpoints.ts"

export const ga4Consent: Consent = {
  ...googleConsent,
  product: "Google Analytics",
  reads: "read your Google Analytics data",
  writes: "read and change your Google Analytics data",
  invitation: {
    steps: [
      "Open Google Analytics and choose Admin.",
      "Below the property, open Property access management, and choose Add users.",
      "Enter the address, choose the role Viewer, and choose Add."
    ],
    resource: { label: "The property ID", hint: "A number. You find it under Admin, Property details." },
    read: (text) => {
      const property = /^(?:properties\/)?([1-9]\d{0,19})$/.exec(text)?.[1]
      return property === undefined ? undefined : { endpoint: propertiesGetMetadata, input: { path: { property } } }
    }
  }
}
