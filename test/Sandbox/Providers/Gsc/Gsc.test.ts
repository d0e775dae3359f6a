import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { at, now, sandboxAt } from "../../SandboxFixture.ts"
import { ask, blog, domain, query, sitePath } from "./Fixture.ts"

const inspect = (inspectionUrl: string, siteUrl = domain) =>
  ask("/v1/urlInspection/index:inspect", { siteUrl, inspectionUrl, languageCode: "en-US" })

const old = "https://old.fernhill.example/"

layer(sandboxAt(now))("Search console", (it) => {
  it.effect("lists two properties and one that nobody has verified", () =>
    Effect.gen(function*() {
      const { text } = yield* ask("/webmasters/v3/sites")
      assert.deepStrictEqual(at(text, "siteEntry"), [
        { siteUrl: domain, permissionLevel: "siteOwner" },
        { siteUrl: blog, permissionLevel: "siteFullUser" },
        { siteUrl: old, permissionLevel: "siteUnverifiedUser" }
      ])
    }))

  it.effect("gives one of them, the unverified one too", () =>
    Effect.gen(function*() {
      const { text } = yield* ask(sitePath(old))
      assert.deepStrictEqual(at(text), { siteUrl: old, permissionLevel: "siteUnverifiedUser" })
    }))

  for (
    const site of ["https://blog.fernhill.example", "sc-domain:example.com", "fernhill.example", "https://x.example/"]
  ) {
    it.effect(`knows nothing of ${site}, and says so as a missing permission`, () =>
      Effect.gen(function*() {
        const { status, text } = yield* ask(sitePath(site))
        assert.strictEqual(status, 403)
        assert.deepStrictEqual(at(text, "error", "errors"), [{
          message: `User does not have sufficient permission for site '${site}'. ` +
            "See also: https://support.google.com/webmasters/answer/2451999.",
          domain: "global",
          reason: "forbidden"
        }])
      }))
  }

  it.effect("has no data for a property that is not verified", () =>
    Effect.gen(function*() {
      for (const answer of [query({}, old), ask(`${sitePath(old)}/sitemaps`), inspect(`${old}a`, old)]) {
        assert.strictEqual((yield* answer).status, 403)
      }
    }))

  it.effect("lists the submitted sitemaps, and those that an index lists", () =>
    Effect.gen(function*() {
      const { text } = yield* ask(`${sitePath(domain)}/sitemaps`)
      const [index, journal, feed] = [0, 1, 2].map((position) => at(text, "sitemap", position, "path"))
      assert.deepStrictEqual([index, journal, feed], [
        "https://www.fernhill.example/sitemap.xml",
        "https://blog.fernhill.example/sitemap.xml",
        "https://blog.fernhill.example/feed.xml"
      ])
      assert.strictEqual(at(text, "sitemap", 0, "isSitemapsIndex"), true)
      assert.strictEqual(at(text, "sitemap", 1, "warnings"), "2")
      assert.strictEqual(at(text, "sitemap", 2, "type"), "rssFeed")
      const listed = yield* ask(`${sitePath(domain)}/sitemaps?sitemapIndex=${encodeURIComponent(String(index))}`)
      assert.strictEqual(at(listed.text, "sitemap", "length"), 2)
      const ofBlog = yield* ask(`${sitePath(blog)}/sitemaps`)
      assert.strictEqual(at(ofBlog.text, "sitemap", "length"), 2)
    }))

  it.effect("gives one sitemap, and 404 for one that nobody submitted", () =>
    Effect.gen(function*() {
      const path = `${sitePath(domain)}/sitemaps/${encodeURIComponent("https://blog.fernhill.example/feed.xml")}`
      const { text } = yield* ask(path)
      assert.strictEqual(at(text, "path"), "https://blog.fernhill.example/feed.xml")
      assert.strictEqual(at(text, "contents", 0, "submitted"), "24")
      assert.deepStrictEqual([(yield* ask(`${path}x`)).status], [404])
    }))

  for (
    const [url, verdict, coverageState] of [
      ["https://www.fernhill.example/products/dibber", "PASS", "Submitted and indexed"],
      ["https://blog.fernhill.example/how-to-prune-roses", "PASS", "Submitted and indexed"],
      ["https://www.fernhill.example/products/garden-twine", "NEUTRAL", "Crawled - currently not indexed"],
      ["https://www.fernhill.example/?ref=mail", "NEUTRAL", "Alternate page with proper canonical tag"],
      ["https://www.fernhill.example/cart", "NEUTRAL", "Blocked by robots.txt"],
      ["https://www.fernhill.example/account/login", "NEUTRAL", "Excluded by ‘noindex’ tag"],
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

  it.effect("has rich results for products", () =>
    Effect.gen(function*() {
      const { text } = yield* inspect("https://www.fernhill.example/products/dibber")
      assert.strictEqual(at(text, "inspectionResult", "richResultsResult", "verdict"), "PASS")
      const guide = yield* inspect("https://blog.fernhill.example/how-to-prune-roses")
      assert.isUndefined(at(guide.text, "inspectionResult", "richResultsResult"))
    }))

  it.effect("does not inspect what belongs to another property", () =>
    Effect.gen(function*() {
      const { status, text } = yield* inspect("https://www.fernhill.example/", blog)
      assert.strictEqual(status, 403)
      assert.include(
        String(at(text, "error", "message")),
        "You do not own this site, or the inspected URL is not part of this property."
      )
    }))

  it.effect("answers in part where `fields` asks for it", () =>
    Effect.gen(function*() {
      const { text } = yield* ask("/webmasters/v3/sites?fields=siteEntry(siteUrl)&prettyPrint=false")
      assert.deepStrictEqual(at(text, "siteEntry", 0), { siteUrl: domain })
      assert.strictEqual((yield* ask("/webmasters/v3/sites?fields=siteEntry(")).status, 400)
    }))

  it.effect("refuses a query parameter that the method does not have", () =>
    Effect.gen(function*() {
      const { status, text } = yield* ask("/webmasters/v3/sites?pageSize=5")
      assert.strictEqual(status, 400)
      assert.include(String(at(text, "error", "message")), "Unknown name \"pageSize\": Cannot bind query parameter.")
    }))
})
