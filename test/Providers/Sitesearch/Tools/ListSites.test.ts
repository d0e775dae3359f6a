import { assert, describe, it } from "@effect/vitest"
import { Effect, Predicate } from "effect"
import { responses, runTool, siteList, url } from "../FakeSitesearch.ts"

describe("sitesearch_list_sites", () => {
  const account = {
    d: [
      { ...siteList.d[0], Url: "https://b.example/" },
      { ...siteList.d[0], Url: "https://c.example/", IsVerified: false },
      { ...siteList.d[0], Url: "https://a.example/" }
    ]
  }

  it.effect("lists sites by URL, without their verification codes", () =>
    Effect.gen(function*() {
      const { output } = yield* runTool("sitesearch_list_sites", {}, responses({ GetUserSites: account }))
      assert.deepStrictEqual(output, {
        sites: [
          { url: "https://a.example/", verified: true },
          { url: "https://b.example/", verified: true },
          { url: "https://c.example/", verified: false }
        ],
        total: 3
      })
    }))

  it.effect("verified_only leaves out sites that are not verified", () =>
    Effect.gen(function*() {
      const { output } = yield* runTool(
        "sitesearch_list_sites",
        { verified_only: true },
        responses({ GetUserSites: account })
      )
      assert.deepInclude(output, { total: 2 })
    }))

  it.effect.each([
    { why: "no site", body: { d: null }, note: /no sites/ },
    { why: "no verified site", body: { d: [{ Url: url }] }, note: /None .* is verified; without .* there are 1/ }
  ])("adds a note when there is $why", ({ body, note }) =>
    Effect.gen(function*() {
      const { output } = yield* runTool(
        "sitesearch_list_sites",
        { verified_only: true },
        responses({ GetUserSites: body })
      )
      assert.deepInclude(output, { sites: [], total: 0 })
      assert.match(Predicate.hasProperty(output, "note") ? String(output.note) : "", note)
    }))
})
