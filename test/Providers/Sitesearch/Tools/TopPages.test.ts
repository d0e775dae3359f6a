import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { responses, runTool, statsRow, url } from "../FakeSitesearch.ts"

const pages = [statsRow("https://example.com/Blog/a?x=/shop/", 2), statsRow("https://example.com/shop/", 5)]

const run = (input: object, d: ReadonlyArray<unknown> = pages) =>
  runTool("sitesearch_top_pages", { site: url, ...input }, responses({ GetPageStats: { d } }))

describe("sitesearch_top_pages", () => {
  it.effect("reads the URL of a page from the field Query", () =>
    Effect.gen(function*() {
      const { calls, output } = yield* run({})
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
    { input: { path_contains: "/GRÖßE/" }, page: "https://example.com/größe/", total: 1, why: "in any case" },
    { input: { path_contains: "gr%C3%B6" }, page: "https://example.com/gr%C3%B6%C3%9Fe/", total: 1, why: "encoded" }
  ])("$input matches $total ($why)", ({ input, page, total }) =>
    Effect.gen(function*() {
      const { output } = yield* run(input, page === undefined ? pages : [statsRow(page, 1)])
      assert.deepInclude(output, { total })
    }))
})
