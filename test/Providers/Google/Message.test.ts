import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { issuesOf, strict, validator } from "../../../src/Domain/Validation/Validation.ts"
import { documentsBatchUpdate } from "../../../src/Providers/Gdocs/Endpoints.ts"
import { exactlyOneField, message, optional } from "../../../src/Providers/Google/Message.ts"
import { spreadsheetsBatchUpdate } from "../../../src/Providers/Gsheets/Endpoints.ts"
import type { RawEndpoint } from "../../../src/Providers/Provider.ts"
import { growth } from "../../support/Linear.ts"

const Inner = message("Inner", "A message.", {
  id: optional(Schema.Int, "An id."),
  name: optional(Schema.String, "A name.")
})
const fields = { one: optional(Inner, "One."), other: optional(Schema.Array(Schema.String), "Another.") }
const request = message("Request", "A request.", fields, exactlyOneField)
const equal = Schema.Struct(fields).check(exactlyOneField).annotate({ identifier: "Request" })
const batchOf = (item: Schema.Codec<unknown, unknown>) =>
  Schema.Struct({ items: Schema.Array(item), last: Schema.optionalKey(item) })

describe("A message with exactly one field", () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.record({ id: fc.oneof(fc.integer(), fc.string()), name: fc.string() }, { requiredKeys: [] }),
    fc.array(fc.string())
  )
  const item = fc.oneof(
    value,
    fc.dictionary(fc.constantFrom("one", "other", "third", "__proto__", "toString"), value, { maxKeys: 2 })
  )

  it.each([strict, { ...strict, errors: "first" }, {}] as const)("is decoded as Effect does, with %j", (options) => {
    const [decode, expected] = [request, equal].map((item) => {
      const decode = Schema.decodeUnknownResult(batchOf(item), options)
      return (input: unknown) => Result.mapError(decode(input), ({ issue }) => issuesOf(issue))
    })
    fc.assert(
      fc.property(fc.record({ items: fc.array(item, { maxLength: 3 }), last: item }, { requiredKeys: [] }), (batch) => {
        assert.deepStrictEqual(decode?.(batch), expected?.(batch))
      }),
      { numRuns: 500 }
    )
  })
})

describe("A large batch", () => {
  const batches: ReadonlyArray<readonly [id: string, endpoint: RawEndpoint, path: object, request: object]> = [
    ["spreadsheets", spreadsheetsBatchUpdate, { spreadsheetId: "x" }, { deleteSheet: { sheetId: 1 } }],
    ["documents", documentsBatchUpdate, { documentId: "x" }, { deleteHeader: { headerId: "x" } }]
  ]
  it.each(batches)("is decoded in time that grows with it: %s", (_, endpoint, path, request) => {
    const validate = validator(endpoint.input)
    const inputOf = (size: number) => ({ path, body: { requests: Array(size).fill(request) } })
    const decode = (input: unknown) => assert.isTrue(Result.isSuccess(validate(input)))
    assert.isBelow(growth(50_000, inputOf, decode), 10)
  })
})
