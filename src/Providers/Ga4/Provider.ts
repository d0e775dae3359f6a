import { Effect } from "effect"
import { propertyName } from "../../Domain/Access/Resource.ts"
import { googleApi } from "../Google/GoogleApi.ts"
import type { Provider } from "../Provider.ts"
import { ga4Consent } from "./Consent.ts"
import { accountSummariesList, ga4Endpoints, ga4Scopes } from "./Endpoints.ts"
import { ga4Examples } from "./Examples.ts"
import { fetchAccountSummaries, flattenProperties } from "./Properties.ts"
import { ga4QuotaReport, ga4Quotas } from "./Quotas.ts"
import { ga4Tools } from "./Tools.ts"

export const ga4: Provider = {
  ...googleApi,
  id: "ga4",
  name: "Analytics",
  consent: ga4Consent,
  endpoints: ga4Endpoints,
  examples: ga4Examples,
  tools: ga4Tools,
  quotas: ga4Quotas,
  quotaReport: ga4QuotaReport,
  resourceName: propertyName,
  listResources: (calls) =>
    Effect.map(
      fetchAccountSummaries(calls),
      (accounts) =>
        flattenProperties(accounts).map(({ account, name, property_id }) => ({
          name: property_id,
          title: `${name} (${account})`
        }))
    ),
  cheapestRead: accountSummariesList,
  cheapestInput: { query: { pageSize: 200 } },
  hint: (message) =>
    /permissions? for this property|property.*not found/i.test(message)
      ? "`ga4_list_properties` lists the properties that the connection can read"
      : /not a valid (?:dimension|metric)/i.test(message)
      ? "`properties.getMetadata` lists the dimensions and metrics of a property"
      : undefined,
  scopes: ga4Scopes
}
