import { googleApi } from "../Google/GoogleApi.ts"
import type { Provider } from "../Provider.ts"
import { gdocsEndpoints, gdocsScopes } from "./Endpoints.ts"
import { docsTools } from "./Tools.ts"

export const gdocs: Provider = {
  ...googleApi,
  id: "gdocs",
  name: "Documents",
  endpoints: gdocsEndpoints,
  tools: docsTools,
  scopes: gdocsScopes
}
