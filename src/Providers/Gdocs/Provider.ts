import { classifyGoogle } from "../Google/Classify.ts"
import type { Provider } from "../Provider.ts"
import { gdocsEndpoints, gdocsScopes } from "./Endpoints.ts"
import { docsTools } from "./Tools.ts"

export const gdocs: Provider = {
  id: "gdocs",
  name: "Documents",
  authMethods: ["oauth", "service_account"],
  endpoints: gdocsEndpoints,
  tools: docsTools,
  identity: "google",
  scopes: gdocsScopes,
  classify: classifyGoogle
}
