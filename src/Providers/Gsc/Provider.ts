import { googleApi } from "../Google/GoogleApi.ts"
import type { Provider } from "../Provider.ts"
import { gscEndpoints, gscScopes, sitesList } from "./Endpoints.ts"
import { gscTools } from "./Tools.ts"

export const gsc: Provider = {
  ...googleApi,
  id: "gsc",
  name: "Search Console",
  endpoints: gscEndpoints,
  tools: gscTools,
  cheapestRead: sitesList,
  scopes: gscScopes
}
