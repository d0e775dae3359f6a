import { Effect, Schema } from "effect"
import { fileName } from "../../Domain/Access/Resource.ts"
import { writeScopeHint } from "../Google/Classify.ts"
import { documentUrl } from "../Google/FileReference.ts"
import { googleApi } from "../Google/GoogleApi.ts"
import type { Provider } from "../Provider.ts"
import { gdocsConsent } from "./Consent.ts"
import { docsWriting } from "./DocsWriting.ts"
import { documentsGet, gdocsEndpoints, gdocsScopes } from "./Endpoints.ts"
import { gdocsExamples } from "./Examples.ts"
import { gdocsQuotas } from "./Quotas.ts"
import { docsTools } from "./Tools.ts"

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
  resourcePage: {
    url: documentUrl,
    title: (documentId, calls) =>
      Effect.map(
        calls.call(
          documentsGet,
          { path: { documentId }, query: { fields: "title" } },
          Schema.Struct({ title: Schema.optionalKey(Schema.String) })
        ),
        ({ title = null }) => title
      )
  },
  hint: (message) =>
    /entity was not found/i.test(message)
      ? "The id is the part after `/d/` of the document's address, and the connected account must be able to open it"
      : writeScopeHint(message),
  writing: docsWriting,
  scopes: gdocsScopes
}
