import { assert, describe, it } from "@effect/vitest"
import type { Verdict } from "../../../src/Providers/Provider.ts"
import { classifySitesearch } from "../../../src/Providers/Sitesearch/Classify.ts"

const failed = (code: number, message: string) => ({ ErrorCode: code, Message: `ERROR!!! ${message}` })

describe("The answers of Site Search Webmaster", () => {
  it.each<readonly [why: string, status: number, body: unknown, oauth: Verdict, apiKey: Verdict]>([
    ["data", 200, { d: [] }, "ok", "ok"],
    ["no data", 200, { d: null }, "ok", "ok"],
    ["ErrorCode 0", 200, { ErrorCode: 0, Message: "" }, "ok", "ok"],
    ["data that names a code", 200, { d: [{ ErrorCode: 3 }] }, "ok", "ok"],
    ["a 401 with a page", 401, undefined, "unauthorized", "rejected"],
    ["a 401 with a body", 401, { Message: "" }, "unauthorized", "rejected"],
    ["a 401 about the site", 401, failed(14, "NotAuthorized"), "unauthorized", "rejected"],
    ["a 401 for a blocked user", 401, failed(6, "UserBlocked"), "rejected", "rejected"],
    ["HTTP throttling", 429, undefined, "error", "error"],
    ["a 400 without a code", 400, { ErrorCode: 0 }, "error", "error"],
    ["a redirect", 302, undefined, "error", "error"]
  ])("with %s are classified", (_, status, body, oauth, apiKey) => {
    assert.strictEqual(classifySitesearch({ status, body: () => body, authType: "oauth" }), oauth)
    assert.strictEqual(classifySitesearch({ status, body: () => body, authType: "api_key" }), apiKey)
  })
})
