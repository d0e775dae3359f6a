import { fileConsent } from "../Google/Consent.ts"
import { documentsGet } from "./Endpoints.ts"

export const gdocsConsent = fileConsent("Google Docs", "document", (documentId) => ({
  endpoint: documentsGet,
  input: { path: { documentId }, query: { fields: "documentId" } }
}))
