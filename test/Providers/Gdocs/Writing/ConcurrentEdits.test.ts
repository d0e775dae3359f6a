import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { UpstreamError } from "../../../../src/Api/Errors/ProviderErrors.ts"
import type { Document } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import type { Request } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Requests/Request.ts"
import { after, draft, insert, named, outline } from "../../../Sandbox/Providers/Gdocs/Engine/DocumentFixture.ts"
import { appendDoc } from "../DocumentTools.ts"
import { fakeDocument } from "../FakeDocument.ts"

const headed = draft(insert(1, "Title"), named(1, 2, "HEADING_2"))

describe("Concurrent edits of a document", () => {
  const concurrentEdit: Request = insert(1, "Somebody else's. ")
  const editedBefore = (times: number) => (state: Document, write: number) =>
    write <= times ? after(state, concurrentEdit) : state

  it.effect("an append is retried once for the changed document", () =>
    Effect.gen(function*() {
      const { calls, provider, state } = fakeDocument(headed, editedBefore(1))
      const answer = yield* appendDoc(provider, { text: "Text." })
      assert.deepStrictEqual(outline(state()), ["HEADING_2 Somebody else's. Title", "Text."])
      assert.deepStrictEqual(calls.map(({ endpoint }) => endpoint), [
        "documents.get",
        "documents.batchUpdate",
        "documents.get",
        "documents.batchUpdate"
      ])
      assert.strictEqual(answer["startIndex"], 24)
    }))

  it.effect("a second conflict is the provider's error, and nothing is written", () =>
    Effect.gen(function*() {
      const { calls, provider, state } = fakeDocument(headed, editedBefore(2))
      const error = yield* Effect.flip(appendDoc(provider, { text: "Text." }))
      assert.instanceOf(error, UpstreamError)
      assert.strictEqual(error.status, 400)
      assert.include(error.message, "does not match the latest revision")
      assert.strictEqual(calls.length, 4)
      assert.deepStrictEqual(outline(state()), ["HEADING_2 Somebody else's. Somebody else's. Title"])
    }))

  it.effect("a write that may have succeeded is never repeated", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeDocument(headed, () => new UpstreamError({ status: 503, message: "Unavailable" }))
      yield* Effect.flip(appendDoc(provider, { text: "Text." }))
      assert.strictEqual(calls.length, 2)
    }))
})
