import type { Consent } from "../Provider.ts"

export const sitesearchConsent: Consent = {
  product: "Bing Webmaster Tools",
  reads: "read your Bing Webmaster Tools data",
  writes: "read and change your Bing Webmaster Tools data",
  scopes: {
    "webmaster.read": "See the sites, search queries, links and crawl results in your Bing Webmaster account",
    "webmaster.manage": "See and change the sites, sitemaps and settings in your Bing Webmaster account"
  },
  signIn: { text: "Sign in to Bing Webmaster Tools" },
  undo: { text: "Settings, API access in Bing Webmaster Tools", url: "https://www.bing.com/webmasters/" },
  apiKey: {
    steps: [
      "Open Bing Webmaster Tools and choose Settings at the top right.",
      "Open API access, then API key.",
      "Choose Generate if there is none, copy the key, and paste it here."
    ]
  }
}
