import { googleApi } from "../Google/GoogleApi.ts"
import type { Provider } from "../Provider.ts"
import { accountSummariesList, ga4Endpoints, ga4Scopes } from "./Endpoints.ts"
import { ga4Tools } from "./Tools.ts"

export const ga4: Provider = {
  ...googleApi,
  id: "ga4",
  name: "Analytics",
  endpoints: ga4Endpoints,
  tools: ga4Tools,
  cheapestRead: accountSummariesList,
  scopes: ga4Scopes
}
