import { classifyGoogle } from "../Google/Classify.ts"
import type { Provider } from "../Provider.ts"
import { gscEndpoints, gscScopes, sitesList } from "./Endpoints.ts"
import { gscTools } from "./Tools.ts"

export const gsc: Provider = {
  id: "gsc",
  name: "Search Console",
  authMethods: ["oauth", "service_account"],
  endpoints: gscEndpoints,
  tools: gscTools,
  cheapestRead: sitesList,
  identity: "google",
  scopes: gscScopes,
  classify: classifyGoogle
}
