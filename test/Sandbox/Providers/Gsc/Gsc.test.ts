import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { customers } from "../../../../src/Sandbox/Data/Portfolio.ts"
import { at, now, sandboxAt } from "../../SandboxFixture.ts"
import { blog, domain, query, request, sitePath } from "./Fixture.ts"

const inspect = (inspectionUrl: string, siteUrl = domain) =>
  request("/v1/urlInspection/index:inspect", { siteUrl, inspectionUrl, languageCode: "en-US" })

const old = "https://old.fernhill.example/"

layer(sandboxAt(now))("Search console", (it) => {
  it.effect("lists two sites, an unverified one, and a domain and a host of each customer", () =>
    Effect.gen(function*() {
      const { text } = yield* request("/webmasters/v3/sites")
      assert.deepStrictEqual(at(text, "siteEntry"), [
        { siteUrl: domain, permissionLevel: "siteOwner" },
        { siteUrl: blog, permissionLevel: "siteFullUser" },
        { siteUrl: old, permissionLevel: "siteUnverifiedUser" },
        ...customers.flatMap(({ domain }) => [
          { siteUrl: `sc-domain:${domain}`, permissionLevel: "siteFullUser" },
          { siteUrl: `https://www.${domain}/`, permissionLevel: "siteFullUser" }
        ])
      ])
      const { text: one } = yield* request(sitePath(old))
      assert.deepStrictEqual(at(one), { siteUrl: old, permissionLevel: "siteUnverifiedUser" })
    }))

  it.effect("responds 403 to a request for data of an unverified site, and of a URL outside the site", () =>
    Effect.gen(function*() {
      const outside = inspect("https://www.fernhill.example/", blog)
      for (const answer of [query({}, old), request(`${sitePath(old)}/sitemaps`), inspect(`${old}a`, old), outside]) {
        assert.strictEqual((yield* answer).status, 403)
      }
    }))

  it.effect("lists submitted sitemaps and the sitemaps of an index", () =>
    Effect.gen(function*() {
      const { text } = yield* request(`${sitePath(domain)}/sitemaps`)
      const [index, journal, feed] = [0, 1, 2].map((position) => at(text, "sitemap", position, "path"))
      assert.deepStrictEqual([index, journal, feed], [
        "https://www.fernhill.example/sitemap.xml",
        "https://blog.fernhill.example/sitemap.xml",
        "https://blog.fernhill.example/feed.xml"
      ])
      assert.strictEqual(at(text, "sitemap", 0, "isSitemapsIndex"), true)
      assert.strictEqual(at(text, "sitemap", 1, "warnings"), "2")
      assert.strictEqual(at(text, "sitemap", 2, "type"), "rssFeed")
      const listed = yield* request(`${sitePath(domain)}/sitemaps?sitemapIndex=${encodeURIComponent(String(index))}`)
      assert.strictEqual(at(listed.text, "sitemap", "length"), 2)
      const one = yield* request(`${sitePath(domain)}/sitemaps/${encodeURIComponent(String(feed))}`)
      assert.strictEqual(at(one.text, "contents", 0, "submitted"), "24")
      assert.strictEqual((yield* request(`${sitePath(domain)}/sitemaps/unknown`)).status, 404)
      const ofBlog = yield* request(`${sitePath(blog)}/sitemaps`)
      assert.strictEqual(at(ofBlog.text, "sitemap", "length"), 2)
    }))

  for (
    const [url, verdict, coverageState] of [
      ["https://www.fernhill.example/products/dibber", "PASS", "Submitted and indexed"],
      ["https://blog.fernhill.example/how-to-prune-roses", "PASS", "Submitted and indexed"],
      ["https://www.fernhill.example/products/gone", "NEUTRAL", "Not found (404)"],
      ["https://shop.fernhill.example/new", "NEUTRAL", "URL is unknown to Google"]
    ] as const
  ) {
    it.effect(`inspects ${url}: ${coverageState}`, () =>
      Effect.gen(function*() {
        const { text } = yield* inspect(url)
        const status = (field: string) => at(text, "inspectionResult", "indexStatusResult", field)
        assert.deepStrictEqual([status("verdict"), status("coverageState")], [verdict, coverageState])
        assert.strictEqual(status("lastCrawlTime") === undefined, coverageState.includes("unknown"))
        assert.strictEqual(status("sitemap") === undefined, status("referringUrls") === undefined)
      }))
  }
})
