import { strictEqual } from "node:assert"
import { parseNumbers } from "../../../src/Domain/Json/ExactNumber.ts"
import { select } from "../../../src/Features/Results/Select/Select.ts"
import { shape } from "../../../src/Features/Results/Shaping/Shape.ts"
import { expect, isJson, parseJson, partsOf, type Target } from "../Target.ts"

const sample = "{\"rows\":[{\"keys\":[\"a\"],\"clicks\":12345678901234567890},{\"keys\":[\"b\"],\"clicks\":1.0}]," +
  "\"s\":\"😀a\",\"list\":[3,\"x\",null,true,{}],\"__proto__\":{\"a\":1}}"

const steps = { onSelect: () => {}, onSelected: () => {} }

/** The names of what every object inherits. */
const inherited = () =>
  [Object.prototype, Array.prototype, String.prototype].flatMap(Reflect.ownKeys).map(String).join()

const names = inherited()

/** Numbers like these let `pad_left` and others fill the memory, which the thread's limits stop. */
const fillsMemory = /\d{5}|\de\d/i

/** An expression, and JSON after a NUL: it selects JSON, or fails with a message of ours or the library's. */
export const selections: Target = {
  seeds: [
    "let $a = list, b in $a",
    "rows[?clicks > `1`].{k: keys[0], c: clicks} | [0]",
    "let $a = list in map(&[@, $a], rows[*].keys[])",
    "sort_by(rows, &keys[0])[::-1].clicks",
    "group_by(rows, &keys[0]) | keys(@)",
    "merge(@, {\"__proto__\": `{\"b\": 1}`}).constructor",
    "pad_left(s, `3`, '-') || trim(s, 'a') && !list[-1]",
    "replace(join(',', list[?type(@) == 'string']), 'x', '$&')",
    "zip(list, rows[].keys) | from_items(@)\0{\"a\":[[1]]}",
    "[sum(rows[].clicks), avg(`[1, 2]`), max_by(rows, &clicks), to_number('1e3'), -clicks, `2` / `0`, `5` // `2`]",
    "find_first(s, 'a', `0`, `2`) ? split(s, '', `1`) : `null`"
  ],
  run: (input) => {
    const [expression = "", json = ""] = partsOf(input)
    if (fillsMemory.test(expression)) return
    const text = isJson(json) ? json : sample
    const data = parseNumbers(text)
    const before = JSON.stringify(data)
    try {
      const selected = JSON.stringify(select(expression, data))
      expect(isJson(selected), "no JSON")
      const shaped = shape(text, { select: expression, format: "csv", keep: false, longest: 1_000_000 }, steps)
      if ("data" in shaped) expect(typeof parseJson(new TextDecoder().decode(shaped.data)) === "string", "no text")
    } catch (error) {
      // Of a literal that is no JSON, and of a text or a nesting that is too long for the language.
      const isOfLanguage = error instanceof SyntaxError || error instanceof RangeError
      expect(isOfLanguage || error instanceof Error && error.constructor === Error, String(error))
    }
    strictEqual(JSON.stringify(data), before, "changed the data")
    strictEqual(inherited(), names, "changed what objects inherit")
  }
}
