import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { scopes } from "../../../../src/Sandbox/Identity/Scopes.ts"
import { sandboxApiKey } from "../../../../src/Sandbox/Providers/Sitesearch/FakeProvider.ts"
import { accessToken, at, now, sandboxAt, send } from "../../SandboxFixture.ts"

const quota = (siteUrl: string) =>
  Effect.map(
    get("GetUrlSubmissionQuota", { siteUrl }),
    ({ text }) => [at(text, "d", "DailyQuota"), at(text, "d", "MonthlyQuota")]
  )
const batch = (siteUrl: string, count: number) =>
  post("SubmitUrlBatch", { siteUrl, urlList: Array.from({ length: count }, (_, index) => `${siteUrl}${index}`) })

layer(sandboxAt(now))("Site search", (it) => {
  it.effect("lists two verified sites, an unverified one, and those of customers, with queries of their own", () =>
    Effect.gen(function*() {
      const { text } = yield* get("GetUserSites")
      const customer = "https://www.harbourmarket.example/"
      assert.deepStrictEqual(
        [0, 1, 2, 3].map((index) => [at(text, "d", index, "Url"), at(text, "d", index, "IsVerified")]),
        [[shop, true], [blog, true], ["https://old.fernhill.example/", false], [customer, true]]
      )
      const queries = yield* rowsOf("GetQueryStats", { siteUrl: customer })
      assert.lengthOf(queries, 2600)
      assert.isFalse(queries.some(({ Query }) => Query.includes("fernhill")))
    }))

  const invalidRequests: ReadonlyArray<readonly [string, string, Readonly<Record<string, string>>, number]> = [
    ["a wrong key", "GetUserSites", { apikey: "0".repeat(32) }, 3],
    ["an unverified site", "GetQueryStats", { siteUrl: "https://old.fernhill.example/" }, 14],
    ["a missing query", "GetQueryPageStats", { siteUrl: shop }, 8]
  ]
  for (const [what, method, parameters, code] of invalidRequests) {
    it.effect(`rejects ${what} with code ${code}`, () =>
      Effect.gen(function*() {
        const { status, text } = yield* get(method, parameters)
        assert.deepStrictEqual([status, at(text, "ErrorCode")], [400, code])
        assert.match(String(at(text, "Message")), /^ERROR!!! \w+$/)
      }))
  }

  it.effect("accepts an OAuth token, for writes only with webmaster.manage", () =>
    Effect.gen(function*() {
      const path = "/webmaster/api.svc/json/"
      const json = { siteUrl: blog, url: `${blog}a` }
      const reader = yield* accessToken("sitesearch", scopes.webmasterRead)
      assert.strictEqual((yield* send("sitesearch", `${path}GetUserSites`, { token: reader })).status, 200)
      const denied = yield* send("sitesearch", `${path}SubmitUrl`, { token: reader, json })
      assert.strictEqual(at(denied.text, "ErrorCode"), 13)
      const manager = yield* accessToken("sitesearch", scopes.webmasterManage)
      assert.strictEqual((yield* send("sitesearch", `${path}SubmitUrl`, { token: manager, json })).status, 200)
      const unknown = yield* send("sitesearch", `${path}GetUserSites`, { token: "unknown" })
      assert.strictEqual(at(unknown.text, "ErrorCode"), 18)
      const none = yield* send("sitesearch", `${path}GetUserSites`)
      assert.strictEqual(at(none.text, "ErrorCode"), 3)
    }))
})

layer(sandboxAt(now))("Submissions", (it) => {
  it.effect("use up the quota of the site until midnight UTC", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* quota(shop), [100, 1300])
      const submit = post("SubmitUrl", { siteUrl: shop, url: `${shop}products/new` })
      const first = yield* submit
      assert.deepStrictEqual([first.status, at(first.text)], [200, { d: null }])
      assert.strictEqual((yield* batch(shop, 98)).status, 200)
      assert.deepStrictEqual(yield* quota(shop), [1, 1201])
      const tooMany = yield* batch(shop, 2)
      assert.deepStrictEqual([tooMany.status, at(tooMany.text, "ErrorCode")], [400, 8])
      assert.include(tooMany.text, "ERROR!!! Quota remaining for today: 1, Submitted: 2")
      assert.strictEqual((yield* batch(shop, 1)).status, 200)
      const over = yield* submit
      assert.deepStrictEqual([over.status, at(over.text, "ErrorCode")], [400, 2])
      assert.include(over.text, "ERROR!!! You have exceeded your daily url submission quota : 100")
      assert.deepStrictEqual(yield* quota(blog), [100, 1300])
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual(yield* quota(shop), [100, 1200])
    }))
})

export const shop = "https://www.fernhill.example/"
export const blog = "https://blog.fernhill.example/"

const path = (method: string, parameters: Readonly<Record<string, string>>) =>
  `/webmaster/api.svc/json/${method}?${new URLSearchParams(parameters)}`

export const get = (method: string, parameters: Readonly<Record<string, string>> = {}) =>
  send("sitesearch", path(method, { apikey: sandboxApiKey, ...parameters }))

export const post = (method: string, json: unknown) =>
  send("sitesearch", path(method, { apikey: sandboxApiKey }), { json })

export const rowsOf = (method: string, parameters: Readonly<Record<string, string>> = {}) =>
  Effect.map(
    get(method, { siteUrl: shop, ...parameters }),
    ({ text }): ReadonlyArray<{ readonly Query: string }> => JSON.parse(text).d
  )
