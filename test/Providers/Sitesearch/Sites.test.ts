import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { InvalidInput } from "../../../src/Api/Errors.ts"
import { matchSite, resolveSite } from "../../../src/Providers/Sitesearch/Sites.ts"
import { fakeProvider } from "../../support/FakeProvider.ts"

const verified = (url: string) => ({ url, verified: true })
const unverified = (url: string) => ({ url, verified: false })
const listed = (sites: ReadonlyArray<{ readonly url: string; readonly verified: boolean }>) =>
  fakeProvider(() => ({ d: sites.map(({ url, verified }) => ({ Url: url, IsVerified: verified })) })).provider

describe("Site lookup", () => {
  const account = [
    verified("http://plain.example/"),
    verified("https://both.example/"),
    verified("http://both.example/"),
    verified("https://www.only.example/"),
    unverified("https://twins.example/"),
    verified("https://www.twins.example/"),
    verified("https://www.hosts.example/"),
    verified("http://hosts.example/"),
    verified("https://paths.example/"),
    verified("https://paths.example/blog/"),
    verified("https://xn--bcher-kva.example/"),
    verified("https://noslash.example"),
    unverified("https://pending.example/")
  ]

  it.each([
    { given: "https://both.example/", url: "https://both.example/" },
    { given: "http://both.example/", url: "http://both.example/" },
    { given: "both.example", url: "https://both.example/", why: "https first" },
    { given: " Both.Example ", url: "https://both.example/", why: "case and spaces" },
    { given: "https://both.example", url: "https://both.example/", why: "a missing slash" },
    { given: "sc-domain:both.example", url: "https://both.example/", why: "the spelling of another provider" },
    { given: "plain.example", url: "http://plain.example/", why: "only http is listed" },
    { given: "only.example", url: "https://www.only.example/", why: "only www is listed" },
    { given: "https://only.example/", url: "https://www.only.example/", why: "only www is listed" },
    { given: "www.both.example", url: "https://both.example/", why: "only the bare host is listed" },
    { given: "twins.example", url: "https://www.twins.example/", why: "the verified one" },
    { given: "https://twins.example", url: "https://twins.example/", why: "an exact match" },
    { given: "hosts.example", url: "http://hosts.example/", why: "the host matters more than the scheme" },
    { given: "paths.example/blog", url: "https://paths.example/blog/" },
    { given: "bücher.example", url: "https://xn--bcher-kva.example/", why: "an international name" },
    { given: "noslash.example", url: "https://noslash.example" },
    { given: "pending.example", url: "https://pending.example/", why: "none is verified" },
    { given: "other.example", url: undefined },
    { given: "blog.both.example", url: undefined, why: "a subdomain is another site" },
    { given: "ftp://both.example/", url: undefined }
  ])("$given finds $url", ({ given, url }) => {
    assert.strictEqual(matchSite(given, account)?.url, url)
    assert.strictEqual(matchSite(given, account.toReversed())?.url, url)
  })

  it.effect("an unknown site fails with the list of sites", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(
        resolveSite(listed([verified("https://b.example/"), unverified("https://a.example/")]), "c.example")
      )
      assert.instanceOf(error, InvalidInput)
      assert.deepStrictEqual(error.details, [{
        path: ["input", "site"],
        message: "Not a site of the connected account, which has https://a.example/, https://b.example/"
      }])
    }))

  it.effect("an account without sites gets a message that says so", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(resolveSite(fakeProvider(() => ({ d: null })).provider, "c.example"))
      assert.instanceOf(error, InvalidInput)
      assert.deepStrictEqual(error.details?.map(({ message }) => message), ["The connected account has no sites"])
    }))
})
