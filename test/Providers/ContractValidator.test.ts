import { assert, describe, it } from "@effect/vitest"
import { discovery } from "../support/Discovery.ts"
import { providerDocuments } from "../support/OutsideFolder.ts"

const get = (url: string) => ({ method: "GET", url, body: "" })
const update = (request: object) => ({
  method: "POST",
  url: "/v1/documents/a:batchUpdate",
  body: JSON.stringify({ requests: [request] })
})

/** What reads the requests of the tests as Google would. */
describe.skipIf(providerDocuments.isAbsent)(`The validation of Google requests${providerDocuments.absence}`, () => {
  const document = "/v1/documents/a"
  it.each([
    ["an unknown query parameter", get(`${document}?foo=1`), "query.foo: unknown name"],
    [
      "a parameter of the wrong type",
      get(`${document}?prettyPrint=1`),
      "query.prettyPrint: expected a boolean, got \"1\""
    ],
    ["an unknown nested field", update({ insertText: { loc: 1 } }), "body.requests[0].insertText.loc: unknown name"],
    [
      "a number above 32 bits",
      update({ deleteContentRange: { range: { startIndex: 2 ** 31 } } }),
      "body.requests[0].deleteContentRange.range.startIndex: expected an int32, got 2147483648"
    ],
    ["an unexpected body", { ...get(document), body: "{}" }, "body: the method takes none"]
  ])("refuses %s", (_, request, fault) => {
    const [found = "", ...others] = discovery("gdocs").read(request)?.faults ?? []
    assert.strictEqual(found.slice(0, fault.length), fault)
    assert.deepStrictEqual(others, [])
  })
})
