import { classifyGoogle } from "../Google.ts"
import type { Provider } from "../Provider.ts"
import { gdocsEndpoints, gdocsScopes } from "./Endpoints.ts"

export const gdocs: Provider = {
  id: "gdocs",
  name: "Documents",
  authMethods: ["oauth", "service_account"],
  endpoints: gdocsEndpoints,
  tools: [],
  identity: "google",
  scopes: gdocsScopes,
  classify: classifyGoogle
}
