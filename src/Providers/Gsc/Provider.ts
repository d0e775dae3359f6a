import { Effect } from "effect"
import { siteName } from "../../Domain/Access/Resource.ts"
import { googleApi } from "../Google/GoogleApi.ts"
import type { Provider } from "../Provider.ts"
import { gscConsent } from "./Consent.ts"
import { gscEndpoints, gscScopes, sitesList } from "./Endpoints.ts"
import { gscExamples } from "./Examples.ts"
import { gscQuotas } from "./Quotas.ts"
import { SiteList } from "./Responses.ts"
import { gscTools } from "./Tools.ts"

export const gsc: Provider = {
  ...googleApi,
  id: "gsc",
  name: "Search Console",
  consent: gscConsent,
  endpoints: gscEndpoints,
  examples: gscExamples,
  tools: gscTools,
  quotas: gscQuotas,
  resourceName: siteName,
  listResources: (calls) =>
    Effect.map(
      calls.call(sitesList, {}, SiteList),
      ({ siteEntry = [] }) => siteEntry.map(({ siteUrl }) => ({ name: siteUrl, title: siteUrl }))
    ),
  cheapestRead: sitesList,
  hint: (message) =>
    /sufficient permission for site|not a valid Search Console site/i.test(message)
      ? "`sites.list` lists the properties that the connection can read"
      : undefined,
  scopes: gscScopes
}
