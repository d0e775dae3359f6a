import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { issuesOf, strict, validator } from "../../src/Domain/Validation.ts"

const Plain = Schema.Struct({
  name: Schema.String,
  tags: Schema.optionalKey(Schema.Array(Schema.Struct({ tag: Schema.String }))),
  more: Schema.optionalKey(Schema.Record(Schema.String, Schema.Finite)),
  id: Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite]))
})

const Transformed = Schema.Struct({
  count: Schema.FiniteFromString,
  inner: Schema.optionalKey(Schema.Struct({ day: Schema.FiniteFromString }))
})

const Either = Schema.Struct({
  either: Schema.Union([Schema.Struct({ a: Schema.String }), Schema.Struct({ b: Schema.FiniteFromString })])
})

const inputs: ReadonlyArray<[Schema.Codec<unknown, unknown>, unknown]> = [
  [Plain, { name: "x" }],
  [Plain, { name: "x", tags: [{ tag: "a" }], more: { any: 1 }, id: 7 }],
  [Plain, { name: "x", other: 1 }],
  [Plain, { name: "x", tags: [{ tag: "a" }, { tag: "b", tog: "c" }] }],
  [Plain, { name: 1, tags: {}, more: { any: "1" }, id: null }],
  [Plain, JSON.parse("{\"name\":\"x\",\"__proto__\":1}")],
  [Plain, []],
  [Plain, null],
  [Transformed, { count: "1", inner: { day: "2" } }],
  [Transformed, { count: "one", inner: { day: "2", night: "3" } }],
  [Transformed, { count: "1", inner: { day: "2", night: "3" } }],
  [Either, { either: { a: "x" } }],
  [Either, { either: { b: "1" } }],
  [Either, { either: { a: "x", b: "1" } }]
]

const strictly = (schema: Schema.Codec<unknown, unknown>, input: unknown) =>
  Result.mapError(Schema.decodeUnknownResult(schema, strict)(input), ({ issue }) => issuesOf(issue, ["input"]))

describe("A validator", () => {
  it.each(inputs)("finds the issues that a strict decoder finds: %#", (schema, input) => {
    assert.deepStrictEqual(validator(schema, ["input"])(input), strictly(schema, input))
  })

  it("finds them in any input", () => {
    const field = fc.constantFrom("name", "tags", "more", "id", "count", "inner", "day", "either", "a", "b", "tag", "x")
    const value = fc.letrec<{ readonly value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom("1", "one", 1, null),
        fc.array(tie("value"), { maxLength: 2 }),
        fc.dictionary(field, tie("value"), { maxKeys: 3 })
      )
    })).value
    for (const schema of [Plain, Transformed, Either]) {
      const validate = validator<unknown>(schema, ["input"])
      fc.assert(fc.property(value, (input) => assert.deepStrictEqual(validate(input), strictly(schema, input))))
    }
  })
})
