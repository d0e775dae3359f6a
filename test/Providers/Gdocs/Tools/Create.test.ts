import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createDoc, readDoc } from "../DocumentTools.ts"
import { fakeDocument } from "../FakeDocument.ts"

describe("docs_create", () => {
  it.effect("creates the document, then writes its text for that revision", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeDocument()
      const created = yield* createDoc(provider, "# Hello\n\nworld")
      const read = yield* readDoc(provider)
      assert.deepStrictEqual(created, {
        documentId: "doc",
        url: "https://docs.google.com/document/d/doc/edit",
        title: "Draft",
        revisionId: read["revisionId"],
        endIndex: 13
      })
      const [create, write] = calls
      assert.deepStrictEqual(create, { endpoint: "documents.create", input: { body: { title: "Draft" } } })
      assert.strictEqual(write?.endpoint, "documents.batchUpdate")
      assert.match(JSON.stringify(write?.input.body), /"writeControl":\{"requiredRevisionId":"ALm37B/)
    }))

  for (const text of ["", "<!-- nothing -->", "  \n"]) {
    it.effect(`creates a blank document for ${JSON.stringify(text)}`, () =>
      Effect.gen(function*() {
        const { calls, provider } = fakeDocument()
        const created = yield* createDoc(provider, text)
        assert.deepStrictEqual([created["endIndex"], calls.length], [2, 1])
        assert.isString(created["revisionId"])
      }))
  }
})
