import { Effect, Schema } from "effect"
import { fileName } from "../../Domain/Access/Resource.ts"
import { writeScopeHint } from "../Google/Classify.ts"
import { spreadsheetUrl } from "../Google/FileReference.ts"
import { googleApi } from "../Google/GoogleApi.ts"
import type { Provider } from "../Provider.ts"
import { gsheetsConsent } from "./Consent.ts"
import { gsheetsEndpoints, gsheetsScopes, spreadsheetsGet } from "./Endpoints.ts"
import { gsheetsExamples } from "./Examples.ts"
import { gsheetsQuotas } from "./Quotas.ts"
import { sheetsTools } from "./Tools.ts"
import { sheetsWriting } from "./Undo/Writing.ts"

export const gsheets: Provider = {
  ...googleApi,
  id: "gsheets",
  name: "Spreadsheets",
  consent: gsheetsConsent,
  endpoints: gsheetsEndpoints,
  examples: gsheetsExamples,
  tools: sheetsTools,
  writing: sheetsWriting,
  quotas: gsheetsQuotas,
  resourceName: fileName,
  resourcePage: {
    url: spreadsheetUrl,
    title: (spreadsheetId, calls) =>
      Effect.map(
        calls.call(
          spreadsheetsGet,
          { path: { spreadsheetId }, query: { fields: "properties.title" } },
          Schema.Struct({ properties: Schema.Struct({ title: Schema.optionalKey(Schema.String) }) })
        ),
        ({ properties: { title = null } }) => title
      )
  },
  hint: (message) =>
    /entity was not found/i.test(message)
      ? "The id is the part after `/d/` of the spreadsheet's address, and the connected account must be able to open it"
      : /unable to parse range/i.test(message)
      ? "`sheets_list_tabs` lists the tabs; a range is such as `'My tab'!A1:C9`"
      : writeScopeHint(message),
  scopes: gsheetsScopes
}
