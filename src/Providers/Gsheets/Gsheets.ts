import { classifyGoogle } from "../Google.ts"
import type { Provider } from "../Provider.ts"
import { gsheetsEndpoints, gsheetsScopes } from "./Endpoints.ts"

export const gsheets: Provider = {
  id: "gsheets",
  name: "Spreadsheets",
  authMethods: ["oauth", "service_account"],
  endpoints: gsheetsEndpoints,
  tools: [],
  identity: "google",
  scopes: gsheetsScopes,
  classify: classifyGoogle
}
