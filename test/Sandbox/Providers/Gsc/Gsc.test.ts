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
})
