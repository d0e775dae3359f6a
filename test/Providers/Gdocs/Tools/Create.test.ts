import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { validator } from "../../../../src/Domain/Validation/Validation.ts"
import { docsCreate } from "../../../../src/Providers/Gdocs/Tools/Create.ts"
import { fakeProvider } from "../../../support/FakeProvider.ts"
import { runTool } from "../../../support/RunTool.ts"
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

  it.effect("returns the provider's title", () =>
    Effect.gen(function*() {
      const { provider } = fakeProvider(() => ({ documentId: "new", title: "Untitled document" }))
      assert.deepStrictEqual(yield* runTool(docsCreate, provider, { title: " " }), {
        documentId: "new",
        url: "https://docs.google.com/document/d/new/edit",
        title: "Untitled document",
        endIndex: 2
      })
    }))

  it("needs a title of at most 300 characters", () => {
    const decode = validator(docsCreate.input)
    const accepted = ["", "x", "x".repeat(300), "x".repeat(301)].map((title) => Result.isSuccess(decode({ title })))
    assert.deepStrictEqual(accepted, [false, true, true, false])
  })
})
