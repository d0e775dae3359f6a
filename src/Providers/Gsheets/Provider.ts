import { classifyGoogle } from "../Google/Classify.ts"
import type { Provider } from "../Provider.ts"
import { gsheetsEndpoints, gsheetsScopes } from "./Endpoints.ts"
import { sheetsTools } from "./Tools.ts"

export const gsheets: Provider = {
  id: "gsheets",
  name: "Spreadsheets",
  authMethods: ["oauth", "service_account"],
  endpoints: gsheetsEndpoints,
  tools: sheetsTools,
  identity: "google",
  scopes: gsheetsScopes,
  classify: classifyGoogle
}
