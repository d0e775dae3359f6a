import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { responses, runTool, statsRow, url } from "../FakeSitesearch.ts"

describe("sitesearch_top_pages", () => {
  it.effect("reads the URL of a page from the field Query", () =>
    Effect.gen(function*() {
      const pages = [statsRow("https://example.com/Blog/a?x=/shop/", 2), statsRow("https://example.com/shop/", 5)]
      const { calls, output } = yield* runTool(
        "sitesearch_top_pages",
        { site: url },
        responses({ GetPageStats: { d: pages } })
      )
      assert.deepInclude(output, {
        rows: [
          { page: "https://example.com/shop/", clicks: 5, impressions: 100, ctr: 0.05, position: 4 },
          { page: "https://example.com/Blog/a?x=/shop/", clicks: 2, impressions: 100, ctr: 0.02, position: 4 }
        ]
      })
      assert.deepStrictEqual(calls.map(({ endpoint }) => endpoint), ["GetUserSites", "GetPageStats"])
    }))

  it.effect.each([
    { input: { path_contains: "/shop/" }, total: 1, why: "the path alone" },
    { input: { contains: "/shop/" }, total: 2, why: "the whole URL" },
    { input: { path_contains: "example.com" }, total: 0, why: "no host in the path" },
    { input: { contains: "example.com", path_contains: "/BLOG/" }, total: 1, why: "both" },
    { input: { contains: "", path_contains: "" }, total: 2, why: "neither" }
  ])("$input matches $total ($why)", ({ input, total }) =>
    Effect.gen(function*() {
      const pages = [statsRow("https://example.com/Blog/a?x=/shop/", 2), statsRow("https://example.com/shop/", 5)]
      const { output } = yield* runTool(
        "sitesearch_top_pages",
        { site: url, ...input },
        responses({ GetPageStats: { d: pages } })
      )
      assert.deepInclude(output, { total })
    }))
})

describe("path_contains", () => {
  it.effect("is told with the nearest paths when no page matches", () =>
    Effect.gen(function*() {
      const bodies = responses({ GetPageStats: { d: [statsRow("https://example.com/blog/a", 1)] } })
      const { output } = yield* runTool("sitesearch_top_pages", { site: url, path_contains: "/blgo" }, bodies)
      assert.match(String(Object(output)["note"]), /No path contains `\/blgo`; there is only `\/blog\/a`\.$/)
    }))

  it.effect.each([
    { page: "https://example.com/größe/", text: "/GRÖßE/" },
    { page: "https://example.com/gr%C3%B6%C3%9Fe/", text: "gr%C3%B6" },
    { page: "example.com/bare", text: "/bare" }
  ])("finds $text in $page", ({ page, text }) =>
    Effect.gen(function*() {
      const bodies = responses({ GetPageStats: { d: [statsRow(page, 1)] } })
      const { output } = yield* runTool("sitesearch_top_pages", { site: url, path_contains: text }, bodies)
      assert.deepInclude(output, { total: 1 })
    }))
})
