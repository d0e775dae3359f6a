import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Option, Result, Schema } from "effect"
import * as fc from "fast-check"
import { DurationText } from "../../../src/Domain/Validation/DurationText.ts"
import { listIssues } from "../../../src/Domain/Validation/Issue.ts"
import { issuesOf, strict, validator } from "../../../src/Domain/Validation/Validation.ts"

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

const Overlapping = Schema.Struct({
  either: Schema.Union([Schema.Struct({ a: Schema.String }), Schema.Struct({ a: Schema.String, b: Schema.String })]),
  limit: Schema.FiniteFromString.pipe(Schema.withDecodingDefaultKey(Effect.succeed("5")))
})

const strictly = (schema: Schema.Codec<unknown, unknown>, input: unknown) =>
  Result.mapError(Schema.decodeUnknownResult(schema, strict)(input), ({ issue }) => issuesOf(issue, ["input"]))

describe("A validator", () => {
  it("finds the issues that a strict decoder finds, in any input", () => {
    const field = fc.constantFrom(..."name tags more id count inner day either a b tag limit x __proto__".split(" "))
    const value = fc.letrec<{ readonly value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom("1", "one", 1, null),
        fc.array(tie("value"), { maxLength: 2 }),
        fc.dictionary(field, tie("value"), { maxKeys: 3 })
      )
    })).value
    for (const schema of [Plain, Transformed, Either, Overlapping]) {
      const validate = validator<unknown>(schema, ["input"])
      fc.assert(fc.property(value, (input) => assert.deepStrictEqual(validate(input), strictly(schema, input))))
    }
  })
})

const many = <A>(value: A, count = 50_000) => Array.from({ length: count }, () => value)

describe("A validator of a large input", () => {
  const Tags = Schema.Struct({
    tag: Schema.String,
    rows: Schema.optionalKey(Schema.Array(Schema.Array(Schema.Finite)))
  })
  const Large = Schema.Struct({
    name: Schema.String,
    more: Schema.optionalKey(Schema.Record(Schema.String, Schema.Finite)),
    before: Schema.optionalKey(Schema.Array(Schema.Finite)),
    tags: Schema.optionalKey(Schema.Array(Schema.Union([Tags, Schema.String]))),
    after: Schema.optionalKey(Schema.Array(Schema.Finite).check(Schema.isMinLength(1)))
  })
  const validate = validator<unknown>(Large, ["input"])
  const issuesIn = (input: unknown) => Option.getOrElse(Result.getFailure(validate(input)), () => [])

  const unknown = "Unknown field: the nearest are `tag`, `rows`"
  it.each<readonly [what: string, input: object, issues: Readonly<Record<string, string>>]>([
    [
      "the first ones, at their paths",
      { name: "x", tags: [...many({ tag: "a" }), { tag: 1 }, "b", { tag: "c", tog: 2 }, ...many({ tag: "a" })] },
      { "tags.50000.tag": "Expected string", "tags.50002.tog": unknown }
    ],
    [
      "an unknown field beside large ones",
      { before: many(1), tags: many("x"), after: many(1), extra: many(1) },
      { extra: "Unknown field" }
    ],
    ["a missing field beside large ones", { before: many(1), after: many(1) }, { name: "" }],
    ["one value that alone is large", { name: many(1) }, { name: "Expected string" }]
  ])("finds %s", (_, input, issues) => {
    const found = issuesIn(input)
    assert.deepStrictEqual(found.map(({ path }) => path.slice(1).join(".")), Object.keys(issues))
    for (const { message, path } of found) assert.include(message, issues[path.slice(1).join(".")] ?? "")
  })

  it("finds that an array is too long before it decodes the items", () => {
    let decoded = 0
    const Item = Schema.Finite.check(Schema.makeFilter(() => ++decoded > 0))
    const Items = Schema.Array(Item).check(Schema.isMaxLength(3))
    const find = validator(Schema.Struct({ items: Schema.Union([Items, Schema.String]) }))
    const tooLong = { path: ["items"], message: "Expected a value with a length of at most 3" }
    assert.deepStrictEqual(find({ items: many(1, 400_000) }), Result.fail([tooLong]))
    assert.isBelow(decoded, 100_000)
    assert.deepStrictEqual(find({ items: [1, 2, 3, 4] }), Result.fail([tooLong]))
    assert.deepStrictEqual(find({ items: [1, 2, 3] }), Result.succeed({ items: [1, 2, 3] }))
  })

  it.each([1, {}, { tag: 1 }, [1], { a: 1, b: 2 }])("finds 10,000 issues at most, of 300,000 rows %j", (row) => {
    const Rows = Schema.Struct({ rows: Schema.Array(Schema.Union([Tags, Schema.Array(Schema.String)])) })
    const input = { rows: many(row, 300_000) }
    const issues = Option.getOrElse(Result.getFailure(validator(Rows)(input)), () => [])
    assert.isAtLeast(issues.length, 101)
    assert.isAtMost(issues.length, 10_001)
  })
})

const issues = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: ["input", index], message: "Required" }))

describe("Listed issues", () => {
  it("are the first 100, and one that says how many more there are", () => {
    assert.deepStrictEqual(listIssues(issues(350)), [
      ...issues(100),
      { path: ["input", 349], message: "There are at least 250 more issues" }
    ])
  })

  it("are cut", () => {
    const [issue] = listIssues([{ path: ["k".repeat(300), 7], message: "m".repeat(10_000) }])
    assert.deepStrictEqual(issue, { path: [`${"k".repeat(200)}…`, 7], message: `${"m".repeat(5000)}…` })
  })

  it("take less than 1 MiB", () => {
    const path = Array.from({ length: 64 }, () => "\u0001".repeat(1000))
    const listed = listIssues(Array.from({ length: 100 }, () => ({ path, message: "\uD800".repeat(100_000) })))
    const bytes = Buffer.byteLength(JSON.stringify(listed))
    assert.isBelow(bytes, 1_048_576)
    assert.isAbove(bytes, 500_000)
    assert.match(listed.at(-1)?.message ?? "", new RegExp(`^There are at least ${101 - listed.length} more issues$`))
  })
})

describe("a duration in a setting", () => {
  it.each([
    ["0s", 0],
    ["250ms", 250],
    ["30s", 30_000],
    ["1.5h", 5_400_000],
    ["5 Minutes", 300_000],
    ["90d", 7_776_000_000],
    ["2w", 1_209_600_000]
  ])("can be %s", (text, millis) => {
    assert.strictEqual(Duration.toMillis(Result.getOrThrow(Schema.decodeUnknownResult(DurationText)(text))), millis)
  })

  it.each(["", "30", "s", "-5 days", "soon", "1 fortnight", "30 s 5", "Infinity"])(
    "cannot be %j, and the message has an example",
    (text) =>
      assert.include(
        String(Result.getOrThrow(Result.flip(Schema.decodeUnknownResult(DurationText)(text)))),
        "such as 30s"
      )
  )
})
