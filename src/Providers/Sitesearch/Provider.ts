import type { Provider } from "../Provider.ts"
import { classifySitesearch } from "./Classify.ts"
import { getUserSites, sitesearchEndpoints, sitesearchScopes } from "./Endpoints.ts"
import { sitesearchTools } from "./Tools.ts"

export const sitesearch: Provider = {
  id: "sitesearch",
  name: "Site Search Webmaster",
  authMethods: ["oauth", "api_key"],
  endpoints: sitesearchEndpoints,
  tools: sitesearchTools,
  cheapestRead: getUserSites,
  identity: "sitesearch",
  scopes: sitesearchScopes,
  classify: classifySitesearch
}
