import { assert, it } from "@effect/vitest"
import { cornerOf, lettersOf } from "../../src/Dashboard/Parts/Corner.ts"
import { withEscapes } from "../../src/Dashboard/Parts/HiddenCharacters.ts"
import type { Dataset } from "../../src/Features/Datasets/Declared.ts"
import { daysWords } from "../../src/Features/Datasets/Page/DatasetWords.ts"

it.each([
  ["'Leads'!A2:D4", { column: 1, row: 2 }],
  ["'Who wrote this!'!AA10:AB11", { column: 27, row: 10 }],
  ["Tab!C:D", { column: 3, row: 1 }],
  ["Tab", undefined]
])("the first cell of %s", (range, corner) => {
  assert.deepStrictEqual(cornerOf(range), corner)
})

it.each([[1, "A"], [26, "Z"], [27, "AA"], [52, "AZ"], [703, "AAA"]])("column %i is %s", (column, letters) => {
  assert.strictEqual(lettersOf(column), letters)
})

it.each<[Dataset["days"], string]>([
  [{ done: 120, pending: 0, capped: 0, failed: 0 }, "120 fetched"],
  [{ done: 0, pending: 3, capped: 1, failed: 2 }, "0 fetched, 1 capped, 2 failed, 3 not fetched yet"]
])("the days of a dataset, without what is none", (days, words) => {
  assert.strictEqual(daysWords(days), words)
})

it.each([
  ["a\tb\r\nc", "a\tb\r\nc"],
  ["\u{1f469}\u200d\u{1f33e} \u0645\u06cc\u200c\u062e", "\u{1f469}\u200d\u{1f33e} \u0645\u06cc\u200c\u062e"],
  ["pay \u202eecila\u202c", "pay \\u202eecila\\u202c"],
  ["a\u200b\u00adb\u0000\u2028", "a\\u200b\\u00adb\\u0000\\u2028"],
  ["\u{e0041}", "\\udb40\\udc41"]
])("hidden characters of %j are seen", (text, seen) => {
  assert.strictEqual(withEscapes(text), seen)
})
