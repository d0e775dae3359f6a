import { fileName } from "../../Domain/Access/Resource.ts"
import { writeScopeHint } from "../Google/Classify.ts"
import { googleApi } from "../Google/GoogleApi.ts"
import type { Provider } from "../Provider.ts"
import { gdocsConsent } from "./Consent.ts"
import { gdocsEndpoints, gdocsScopes } from "./Endpoints.ts"
import { gdocsExamples } from "./Examples.ts"
import { gdocsQuotas } from "./Quotas.ts"
import { docsTools } from "./Tools.ts"
import { docsWriting } from "./Undo/Writing.ts"

export const gdocs: Provider = {
  ...googleApi,
  id: "gdocs",
  name: "Documents",
  consent: gdocsConsent,
  endpoints: gdocsEndpoints,
  examples: gdocsExamples,
  tools: docsTools,
  quotas: gdocsQuotas,
  resourceName: fileName,
  hint: (message) =>
    /entity was not found/i.test(message)
      ? "The id is the part after `/d/` of the document's address, and the connected account must be able to open it"
      : writeScopeHint(message),
  writing: docsWriting,
  scopes: gdocsScopes
}
