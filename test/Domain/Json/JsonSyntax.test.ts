import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isJson } from "../../../src/Domain/Json/JsonSyntax.ts"

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const says = (text: string): boolean => isJson(Buffer.from(text))

describe("isJson", () => {
  it.each([
    ..."{} [] 0 1 -1 1.5 0.5e3 1E+2 1e-2 10 true false null \"\"".split(" "),
    " [ 1 , { \"a\" : [ ] } ]\r\n\t",
    "\"\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u00e9 \\uD83D\"",
    "\"é 😀 \u2028 \x7f\""
  ])("takes %s", (text) => {
    assert.isTrue(says(text))
  })

  it.each([
    "",
    " ",
    "<html>",
    ...". - + 01 1. .5 1e 1e+ -a --1 0x1 1_0 NaN Infinity tru nul True 'a' [1,] [,1] [1 {\"a\":1,} {\"a\"} {\"a\":} {a:1}"
      .split(" "),
    ..."{1:1} {,} [} {] ]] {}{} 1,2 \" \"\\\" \"\\x\" \"\\u12g4\" \"\\u12 [\"a\":1] {\"a\",1} [1]] {\"a\":1"
      .split(" "),
    "1 2",
    "{\"a\" 1}",
    "\"a\nb\"",
    "\"a\u0000\"",
    "\u00a0[]",
    "[\f]"
  ])("does not take %j", (text) => {
    assert.isFalse(says(text))
  })

  it("agrees with JSON.parse on documents and on mutations of one character", () => {
    fc.assert(fc.property(
      fc.json(),
      fc.constantFrom(undefined, 1, "\t"),
      fc.nat(),
      fc.constantFrom("", ..."{}[],:\"\\-+.0123456789eEu tfn\n\u0001é"),
      fc.boolean(),
      (json, space, place, character, keep) => {
        const text = JSON.stringify(JSON.parse(json), null, space)
        assert.isTrue(says(text), text)
        const at = place % (text.length + 1)
        const changed = text.slice(0, at) + character + text.slice(keep ? at : at + 1)
        assert.strictEqual(says(changed), parses(changed), changed)
      }
    ))
  })

  it("skips one byte-order mark", () => {
    assert.isTrue(isJson(Buffer.from("\uFEFF{}")))
    assert.isFalse(isJson(Buffer.from("\uFEFF")))
    assert.isFalse(isJson(Buffer.from("{}\uFEFF")))
  })

  it("accepts any depth", () => {
    const depth = 1_000_000
    assert.isTrue(isJson(Buffer.from("[".repeat(depth) + "]".repeat(depth))))
    assert.isFalse(isJson(Buffer.from("[".repeat(depth))))
  })
})
