import type { IdentityProvider } from "../IdentityProvider.ts"

export const sitesearchIdentity: IdentityProvider = {
  id: "sitesearch",
  name: "Bing Webmaster Tools",
  application: { clientId: "SITESEARCH_CLIENT_ID", clientSecret: "SITESEARCH_CLIENT_SECRET" },
  authorize: {
    id: "sitesearchAuth",
    setting: "SITESEARCH_AUTH_URL",
    url: "https://www.bing.com/webmasters/oauth/authorize"
  },
  token: {
    id: "sitesearchToken",
    setting: "SITESEARCH_TOKEN_URL",
    url: "https://www.bing.com/webmasters/oauth/token"
  },
  pkce: false,
  extraScopes: [],
  parameters: {}
}
