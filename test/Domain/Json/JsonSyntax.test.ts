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
  it("agrees with JSON.parse on documents and on mutations of one character", () => {
    fc.assert(
      fc.property(
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
      ),
      { numRuns: 2000 }
    )
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
