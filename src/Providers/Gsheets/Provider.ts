import { googleApi } from "../Google/GoogleApi.ts"
import type { Provider } from "../Provider.ts"
import { gsheetsEndpoints, gsheetsScopes } from "./Endpoints.ts"
import { sheetsTools } from "./Tools.ts"

export const gsheets: Provider = {
  ...googleApi,
  id: "gsheets",
  name: "Spreadsheets",
  endpoints: gsheetsEndpoints,
  tools: sheetsTools,
  scopes: gsheetsScopes
}
