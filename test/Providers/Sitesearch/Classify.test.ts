import { assert, describe, it } from "@effect/vitest"
import type { Verdict } from "../../../src/Providers/Provider.ts"
import { classifySitesearch } from "../../../src/Providers/Sitesearch/Classify.ts"
import { recordedTraffic } from "../../support/OutsideFolder.ts"
import { recording } from "./Recordings.ts"

const failed = (code: number, message: string) => ({ ErrorCode: code, Message: `ERROR!!! ${message}` })

describe("Error classification for Site Search Webmaster", () => {
  describe.each([
    { body: failed(1, "InternalError") },
    { body: failed(2, "UnknownError") },
    { body: failed(2, "You have exceeded your daily url submission quota : 100") },
    { body: failed(3, "InvalidApiKey"), oauth: "rejected", api_key: "rejected" },
    { body: failed(4, "ThrottleUser") },
    { body: failed(5, "ThrottleHost") },
    { body: failed(6, "UserBlocked"), oauth: "rejected", api_key: "rejected" },
    { body: failed(7, "InvalidUrl") },
    { body: failed(8, "InvalidParameter") },
    { body: failed(8, "Quota remaining for today: 0, Submitted: 100") },
    { body: failed(9, "TooManySites") },
    { body: failed(10, "UserNotFound"), oauth: "rejected", api_key: "rejected" },
    { body: failed(11, "NotFound") },
    { body: failed(12, "AlreadyExists") },
    { body: failed(13, "NotAllowed") },
    { body: failed(14, "NotAuthorized") },
    { body: failed(15, "UnexpectedState") },
    { body: failed(16, "Deprecated") },
    { body: failed(17, "ThrottleIP") },
    { body: failed(18, "InvalidToken"), oauth: "unauthorized", api_key: "rejected" },
    { body: failed(81_058, "AlreadyPresent") }
  ])("$body", ({ api_key = "error", body, oauth = "error" }) => {
    it.each([400, 200, 500])("with HTTP %i", (status) => {
      assert.strictEqual(classifySitesearch({ status, body: () => body, authType: "oauth" }), oauth)
      assert.strictEqual(classifySitesearch({ status, body: () => body, authType: "api_key" }), api_key)
    })
  })

  it.each<{ why: string; status: number; body: unknown; oauth: Verdict; api_key: Verdict }>([
    { why: "data", status: 200, body: { d: [] }, oauth: "ok", api_key: "ok" },
    { why: "no data", status: 200, body: { d: null }, oauth: "ok", api_key: "ok" },
    { why: "ErrorCode 0", status: 200, body: { ErrorCode: 0, Message: "" }, oauth: "ok", api_key: "ok" },
    { why: "data that names a code", status: 200, body: { d: [{ ErrorCode: 3 }] }, oauth: "ok", api_key: "ok" },
    { why: "a 401 with a page", status: 401, body: undefined, oauth: "unauthorized", api_key: "rejected" },
    { why: "a 401 with a body", status: 401, body: { Message: "" }, oauth: "unauthorized", api_key: "rejected" },
    {
      why: "a 401 about the site",
      status: 401,
      body: failed(14, "NotAuthorized"),
      oauth: "unauthorized",
      api_key: "rejected"
    },
    {
      why: "a 401 for a blocked user",
      status: 401,
      body: failed(6, "UserBlocked"),
      oauth: "rejected",
      api_key: "rejected"
    },
    { why: "a 403 from the edge", status: 403, body: undefined, oauth: "error", api_key: "error" },
    { why: "an unknown method", status: 404, body: undefined, oauth: "error", api_key: "error" },
    { why: "HTTP throttling", status: 429, body: undefined, oauth: "error", api_key: "error" },
    { why: "a 400 without a code", status: 400, body: { ErrorCode: 0 }, oauth: "error", api_key: "error" },
    {
      why: "an error of the framework",
      status: 500,
      body: { ExceptionDetail: null, ExceptionType: null, Message: "…", StackTrace: null },
      oauth: "error",
      api_key: "error"
    },
    { why: "a redirect", status: 302, body: undefined, oauth: "error", api_key: "error" }
  ])("$why", ({ api_key, body, oauth, status }) => {
    assert.strictEqual(classifySitesearch({ status, body: () => body, authType: "oauth" }), oauth)
    assert.strictEqual(classifySitesearch({ status, body: () => body, authType: "api_key" }), api_key)
  })

  it.skipIf(recordedTraffic.isAbsent).for([
    { name: "error__3-InvalidApiKey", verdict: "rejected" },
    { name: "error__4-ThrottleUser", verdict: "error" },
    { name: "error__5-ThrottleHost", verdict: "error" },
    { name: "ms-learn__GetUserSites", verdict: "ok" },
    { name: "ms-learn__GetQueryStats", verdict: "ok" },
    { name: "ms-learn__GetPageStats", verdict: "ok" },
    { name: "ms-learn__GetRankAndTrafficStats", verdict: "ok" },
    { name: "ms-learn__GetCrawlIssues", verdict: "ok" },
    { name: "ms-learn__GetFeeds", verdict: "ok" },
    { name: "ms-learn__GetUrlSubmissionQuota", verdict: "ok" },
    { name: "merj__test_get_crawl_stats", verdict: "ok" },
    { name: "merj__test_get_crawl_issues", verdict: "ok" },
    { name: "merj__test_get_keyword_stats", verdict: "ok" }
  ])(`classifies the recording $name as $verdict${recordedTraffic.absence}`, ({ name, verdict }) => {
    const { body, status } = recording(name)
    assert.strictEqual(classifySitesearch({ status, body: () => body, authType: "oauth" }), verdict)
    assert.strictEqual(classifySitesearch({ status, body: () => body, authType: "api_key" }), verdict)
  })
})
