import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { toolOperation } from "../../src/Providers/Catalog/Operation.ts"
import { gsc } from "../../src/Providers/Gsc/Provider.ts"
import { gscTopQueries } from "../../src/Providers/Gsc/Tools/TopQueries.ts"
import { gsheets } from "../../src/Providers/Gsheets/Provider.ts"
import { sheetsAppendRows } from "../../src/Providers/Gsheets/Tools/AppendRows.ts"
import { sheetsCreate } from "../../src/Providers/Gsheets/Tools/Create.ts"
import { sheetsUpdateRange } from "../../src/Providers/Gsheets/Tools/UpdateRange.ts"

const operations = {
  update: toolOperation(gsheets, sheetsUpdateRange),
  append: toolOperation(gsheets, sheetsAppendRows),
  create: toolOperation(gsheets, sheetsCreate),
  queries: toolOperation(gsc, gscTopQueries)
}

/** `input` is JSON. */
const prepare = (name: keyof typeof operations, input: string, reader?: "agent") =>
  Effect.runSync(Effect.result(operations[name].prepare(JSON.parse(input), reader, () => `{"input":${input}}`)))

const update = (values: string) => `{"spreadsheet":"1a","range":"A1","values":${values}}`

const append = (rows: string) => `{"spreadsheet":"1a","rows":${rows}}`
const create = (rows: string) => `{"title":"t","rows":${rows}}`

describe("A field that takes a list or a text", () => {
  it.each([
    ["[[\"x\",\"y\"],[\"z\",\"w\"]]", [["x", "y"], ["z", "w"]]],
    [" [[1.0]] ", [[1]]],
    ["[draft] plan", "[draft] plan"],
    ["{name}", "{name}"],
    ["{\"a\":1}", "{\"a\":1}"],
    ["7", "7"]
  ])("reads %j as it is meant", (text, values) => {
    const prepared = Result.getOrThrow(prepare("update", update(JSON.stringify(text))))
    assert.deepStrictEqual(Object(prepared.input).values, values)
  })

  it.each([
    ["[\"acme\",\"ac me\"]", ["acme", "ac me"]],
    ["acme, ac me", ["acme", "ac me"]],
    ["[acme]", ["[acme]"]]
  ])("leaves out the terms of %j", (text, terms) => {
    const prepared = Result.getOrThrow(prepare("queries", JSON.stringify({ site: "example.com", exclude_terms: text })))
    assert.deepStrictEqual(Object(prepared.input).exclude_terms, terms)
  })

  it("refuses a list of the wrong items as that list", () => {
    const { details = [] } = Option.getOrThrow(Result.getFailure(prepare("update", update("\"[1]\""))))
    assert.deepStrictEqual(details[0]?.path, ["input", "values", 0])
  })
})

describe("A number whose digits a double does not keep", () => {
  it.each<readonly [keyof typeof operations, input: string, path: ReadonlyArray<string | number>]>([
    ["update", update("[[1,12345678901234567890]]"), ["values", 0, 1]],
    ["update", update("9007199254740993"), ["values"]],
    ["update", update("\"[[1234567890123456789]]\""), ["values", 0, 0]],
    ["update", update("[[0.12345678901234567890]]"), ["values", 0, 0]],
    // A number as JavaScript has written it.
    ["update", update("[[12345678901234567000]]"), ["values", 0, 0]],
    ["update", update("[[1]],\"expect\":[[-12345678901234567890]]"), ["expect", 0, 0]],
    ["append", append("[{\"Id\":1234567890123456789}]"), ["rows", 0, "Id"]],
    ["append", append("\"[{\\\"Id\\\":1234567890123456789}]\""), ["rows", 0, "Id"]],
    ["create", create("[[1234567890123456789]]"), ["rows", 0, 0]]
  ])("is refused by %s in %s", (name, input, path) => {
    const { details = [] } = Option.getOrThrow(Result.getFailure(prepare(name, input)))
    assert.deepStrictEqual(details.map((issue) => issue.path), [["input", ...path]])
    assert.match(details[0]?.message ?? "", /send it as text/)
  })

  it("is none of these", () => {
    const kept = "[[1e21, 1E+21, 0.1, 1.0, -0, 0.30000000000000004, 0.10000000000000001, 9007199254740992, " +
      "100000000000000000000, 1152921504606846976, \"12345678901234567890\", 5e-324]]"
    assert.isTrue(Result.isSuccess(prepare("update", update(kept))))
  })
})

describe("The arguments of an agent", () => {
  const blank = "{\"site\":\"example.com\",\"country\":\"\",\"limit\":null,\"exclude_terms\":\"\",\"device\":null}"

  it("leave fields out with null and with an empty text", () =>
    assert.deepStrictEqual(Result.getOrThrow(prepare("queries", blank, "agent")).sent, { site: "example.com" }))

  it("keep required fields, and null in rows", () => {
    assert.deepStrictEqual(Object(Result.getOrThrow(prepare("update", update("\"\""), "agent")).input).values, "")
    assert.deepStrictEqual(
      Object(Result.getOrThrow(prepare("update", update("[[null,\"\"]]"), "agent")).input).values,
      [[null, ""]]
    )
  })
})
