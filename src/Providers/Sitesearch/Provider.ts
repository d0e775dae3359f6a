import { Effect } from "effect"
import { urlPrefixName } from "../../Domain/Access/Resource.ts"
import type { Provider } from "../Provider.ts"
import { bearer, queryParameter } from "../RequestAuthentication.ts"
import { classifySitesearch, sitesearchErrorMessage, sitesearchQuotaError } from "./Classify.ts"
import { sitesearchConsent } from "./Consent.ts"
import { getUserSites, sitesearchEndpoints, sitesearchScopes } from "./Endpoints.ts"
import { sitesearchExamples } from "./Examples.ts"
import { sitesearchIdentity } from "./IdentityProvider.ts"
import { sitesearchQuotas } from "./Quotas.ts"
import { listSites } from "./Sites.ts"
import { sitesearchTools } from "./Tools.ts"

export const sitesearch: Provider = {
  id: "sitesearch",
  name: "Site Search Webmaster",
  authentication: { oauth: bearer, api_key: queryParameter("apikey") },
  consent: sitesearchConsent,
  endpoints: sitesearchEndpoints,
  examples: sitesearchExamples,
  tools: sitesearchTools,
  quotas: sitesearchQuotas,
  quotaError: sitesearchQuotaError,
  resourceName: urlPrefixName,
  resourcePage: { url: (site) => site },
  listResources: (calls) =>
    Effect.map(listSites(calls), (sites) => sites.map(({ url }) => ({ name: url, title: url }))),
  cheapestRead: getUserSites,
  identity: sitesearchIdentity,
  scopes: sitesearchScopes,
  classify: classifySitesearch,
  errorMessage: sitesearchErrorMessage,
  hint: (message) =>
    /InvalidUrl|NotAuthorized/.test(message)
      ? "`siteUrl` is the `Url` of a verified site, exactly as `GetUserSites` lists it"
      : undefined
}
