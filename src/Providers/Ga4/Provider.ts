import { classifyGoogle } from "../Google/Classify.ts"
import type { Provider } from "../Provider.ts"
import { accountSummariesList, ga4Endpoints, ga4Scopes } from "./Endpoints.ts"
import { ga4Tools } from "./Tools.ts"

export const ga4: Provider = {
  id: "ga4",
  name: "Analytics",
  authMethods: ["oauth", "service_account"],
  endpoints: ga4Endpoints,
  tools: ga4Tools,
  cheapestRead: accountSummariesList,
  identity: "google",
  scopes: ga4Scopes,
  classify: classifyGoogle
}
