import { assert, describe, it } from "@effect/vitest"
import type { Verdict } from "../../../src/Providers/Provider.ts"
import { classifySitesearch } from "../../../src/Providers/Sitesearch/Classify.ts"

const failed = (code: number, message: string) => ({ ErrorCode: code, Message: `ERROR!!! ${message}` })

describe("Error classification for Site Search Webmaster", () => {
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
})
