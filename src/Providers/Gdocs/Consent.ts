import { fileIdIn, googleConsent } from "../Google/Consent.ts"
import type { Consent } from "../Provider.ts"
import { documentsGet } from "./Endpoints.ts"

export const gdocsConsent: Consent = {
  ...googleConsent,
  product: "Google Docs",
  reads: "read your Google Docs documents",
  writes: "read and change your Google Docs documents",
  invitation: {
    steps: [
      "Open the document and choose Share.",
      "Enter the address. Choose Viewer, or Editor to allow changes.",
      "Choose Send."
    ],
    resource: { label: "The link of the document", hint: "Copy it from the address bar of your browser." },
    read: (text) => {
      const documentId = fileIdIn(text)
      return documentId === undefined
        ? undefined
        : { endpoint: documentsGet, input: { path: { documentId }, query: { fields: "documentId" } } }
    }
  }
}
