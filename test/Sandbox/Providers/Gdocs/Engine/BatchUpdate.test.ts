import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { batchUpdate } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/BatchUpdate.ts"
import type { Document } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import type { JsonObject } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Json.ts"
import type { Request } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Requests/Request.ts"
import { documentResource } from "../../../../../src/Sandbox/Providers/Gdocs/Engine/Resource.ts"
import { blank, draft, errorOf, insert, outline, remove } from "./DocumentFixture.ts"

const responseTo = (state: Document, ...requests: ReadonlyArray<Request>): JsonObject =>
  Result.getOrThrow(batchUpdate(state, { requests }))[1]

describe("batchUpdate", () => {
  it("returns one reply per request, empty for most", () =>
    assert.deepStrictEqual(
      responseTo(
        blank,
        insert(1, "aXa"),
        { replaceAllText: { containsText: { text: "a" }, replaceText: "b" } },
        remove(1, 2)
      )["replies"],
      [
        {},
        { replaceAllText: { occurrencesChanged: 2 } },
        {}
      ]
    ))

  it("applies all requests or none", () => {
    assert.strictEqual(
      errorOf(blank, insert(1, "a"), insert(9, "b")),
      "400 Invalid requests[1].insertText: Index 9 must be less than the end index of the referenced segment, 3."
    )
    assert.deepStrictEqual(outline(blank), [""])
  })

  it("rejects an empty request", () => {
    const message = "Invalid requests[0]: No request set."
    assert.deepStrictEqual(Result.getOrThrow(Result.flip(batchUpdate(blank, { requests: [{}] }))).body, {
      error: {
        code: 400,
        message,
        errors: [{ message, domain: "global", reason: "badRequest" }],
        status: "INVALID_ARGUMENT"
      }
    })
  })
})

const revisionOf = (state: Document) => String(documentResource(state)["revisionId"])

describe("Revisions", () => {
  const changed = draft(insert(1, "a"))
  const update = (writeControl: { readonly requiredRevisionId: string } | { readonly targetRevisionId: string }) =>
    Result.match(batchUpdate(changed, { requests: [insert(1, "b")], writeControl }), {
      onSuccess: () => "accepted",
      onFailure: ({ code, message }) => `${code} ${message}`
    })

  it("change with every update, and the response has the new one", () => {
    assert.notStrictEqual(revisionOf(changed), revisionOf(blank))
    assert.deepStrictEqual(responseTo(blank, insert(1, "a"))["writeControl"], {
      requiredRevisionId: revisionOf(changed)
    })
  })

  it("must match requiredRevisionId, and targetRevisionId cannot be an earlier one", () => {
    assert.strictEqual(update({ requiredRevisionId: revisionOf(changed) }), "accepted")
    assert.strictEqual(
      update({ requiredRevisionId: revisionOf(blank) }),
      `400 The required revision ID '${revisionOf(blank)}' does not match the latest revision.`
    )
    assert.strictEqual(update({ targetRevisionId: revisionOf(changed) }), "accepted")
    assert.match(update({ targetRevisionId: revisionOf(blank) }), /^501 /)
  })
})
