import { describe } from "@effect/vitest"
import { answers, siteList, url } from "../FakeSitesearch.ts"

const bodies = {
  GetUserSites: {
    d: [
      { ...siteList.d[0], Url: "https://b.example/" },
      { ...siteList.d[0], Url: "https://c.example/", IsVerified: false },
      { ...siteList.d[0], Url: "https://a.example/" }
    ]
  }
}
const verified_only = true

describe("sitesearch_list_sites", () => {
  answers("sitesearch_list_sites", {
    "lists sites by URL, without their verification codes": {
      input: {},
      bodies,
      output: {
        sites: [
          { url: "https://a.example/", verified: true },
          { url: "https://b.example/", verified: true },
          { url: "https://c.example/", verified: false }
        ],
        total: 3,
        note: undefined
      }
    },
    "verified_only leaves out sites that are not verified": { input: { verified_only }, bodies, output: { total: 2 } },
    "adds a note when there is no site": {
      input: { verified_only },
      bodies: { GetUserSites: { d: null } },
      output: { sites: [], total: 0, note: /no sites/ }
    },
    "adds a note when there is no verified site": {
      input: { verified_only },
      bodies: { GetUserSites: { d: [{ Url: url }] } },
      output: { sites: [], total: 0, note: /None .* is verified; without .* there are 1/ }
    }
  })
})
