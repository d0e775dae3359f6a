import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { CellChange, Change, ShownChanges } from "../../src/Domain/Calls/Change.ts"
import { showChanges } from "../../src/Domain/Calls/ShowChanges.ts"
import { hostileText } from "../support/Hostile.ts"

/** Few are long, so that limits are met from both sides. */
const text = fc.oneof(
  { arbitrary: hostileText, weight: 5 },
  { arbitrary: fc.nat(70_000).map((length) => "🌱x".repeat(length / 3)), weight: 1 }
)
const rowsOf = (texts: fc.Arbitrary<string>) =>
  fc.array(
    fc.array(fc.oneof(texts, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)), {
      maxLength: 4
    }),
    { maxLength: 4 }
  )
const repeated = <A>(list: ReadonlyArray<A>, times: number) => Array.from({ length: times }, () => list).flat()

const cells: fc.Arbitrary<Change> = fc.tuple(
  rowsOf(text),
  fc.oneof(rowsOf(text), fc.tuple(rowsOf(hostileText), fc.nat(4000)).map(([rows, times]) => repeated(rows, times)))
).map(([before, after]) => ({ range: "A1", before, after }))
const textsWith = (value: fc.Arbitrary<string>): fc.Arbitrary<Change> =>
  fc.record({ tab: fc.constant("t.0"), index: fc.nat(), removed: value, inserted: value })
const requests: fc.Arbitrary<Change> = text.map((value) => ({ request: { method: "POST", url: "u", body: { value } } }))

/** Few are many, and those are short. */
const changes = fc.oneof(
  { arbitrary: fc.array(fc.oneof(cells, textsWith(text), requests), { maxLength: 6 }), weight: 5 },
  {
    arbitrary: fc.tuple(fc.array(textsWith(hostileText), { maxLength: 6 }), fc.nat(3000)).map(([list, times]) =>
      repeated(list, times)
    ),
    weight: 1
  }
)

const lengthOf = (value: unknown): number => value === null || value === undefined ? 0 : String(value).length

const bodyOf = (change: Change): string =>
  "request" in change
    ? change.size === undefined ? JSON.stringify(change.request.body) : String(change.request.body)
    : ""

const cellsOf = (change: Change, side: "before" | "after"): CellChange["after"] => "range" in change ? change[side] : []

const totals = (changes: ReadonlyArray<Change>) => {
  let [places, cells, shown, after] = [0, 0, 0, 0]
  for (const change of changes) {
    const [before, rows] = [cellsOf(change, "before"), cellsOf(change, "after")]
    for (let row = 0; row < Math.max(before.length, rows.length); row++) {
      places += Math.max(before[row]?.length ?? 0, rows[row]?.length ?? 0)
      cells += rows[row]?.length ?? 0
      for (const value of rows[row] ?? []) after += lengthOf(value)
      for (const value of [...before[row] ?? [], ...rows[row] ?? []]) shown += lengthOf(value)
    }
    const texts = "tab" in change ? [change.removed, change.inserted] : [bodyOf(change)]
    for (const value of texts) shown += value.length
    if (!("tab" in change)) after += bodyOf(change).length
    else after += change.inserted.length
  }
  return { places, cells, shown, after }
}

/** Each value is the whole one or its beginning, in the same place. */
const assertPart = (shown: Change, whole: Change) => {
  for (const side of ["before", "after"] as const) {
    for (const [row, values] of cellsOf(shown, side).entries()) {
      for (const [column, value] of values.entries()) {
        const actual = cellsOf(whole, side)[row]?.[column]
        if (typeof actual === "string") assert.isTrue(actual.startsWith(String(value)))
        else assert.strictEqual(value, actual)
      }
    }
  }
  if ("tab" in shown && "tab" in whole) {
    assert.isTrue(whole.inserted.startsWith(shown.inserted) && whole.removed.startsWith(shown.removed))
    assert.strictEqual(shown.index, whole.index)
  }
  assert.isTrue(bodyOf(whole).startsWith(bodyOf(shown)))
}

const textLost = (whole: ReadonlyArray<Change>, { changes }: ShownChanges): number =>
  whole.reduce((sum, change, index) => {
    const shown = changes[index]
    if (!("tab" in change)) return sum
    const part = shown !== undefined && "tab" in shown ? shown : { inserted: "", removed: "" }
    return change.inserted.length === part.inserted.length ? sum + change.removed.length - part.removed.length : sum
  }, 0)

describe("What is shown of a write", () => {
  it("accounts for every cell and character, within the limits", () => {
    fc.assert(fc.property(changes, (whole) => {
      const shown = showChanges(whole)
      const [all, part] = [totals(whole), totals(shown.changes)]
      assert.strictEqual(shown.changes.length + shown.not_shown.changes, whole.length)
      assert.strictEqual(part.cells + shown.not_shown.cells, all.cells)
      assert.strictEqual(part.after + shown.not_shown.characters, all.after + textLost(whole, shown))
      assert.isAtMost(part.places, 10_000)
      assert.isAtMost(part.shown, 100_000)
      for (const [index, change] of shown.changes.entries()) {
        const [actual] = whole.slice(index)
        if (actual === undefined) return assert.fail("a change that is none")
        assertPart(change, actual)
        assert.strictEqual(change.size === undefined, JSON.stringify(change) === JSON.stringify(actual))
      }
      const isWhole = JSON.stringify(shown.changes) === JSON.stringify(whole)
      assert.strictEqual(shown.truncated, isWhole ? undefined : true)
      if (isWhole) assert.deepStrictEqual(shown.not_shown, { changes: 0, cells: 0, characters: 0 })
    }))
  })

  it("has the beginning of every long cell, and the size of the whole", () => {
    const range = "Tab!A1:C1"
    const after = ["x", "y", "z"].map((letter) => letter.repeat(49_000))
    const { changes: [change], not_shown } = showChanges([{ range, before: [[null, null, null]], after: [after] }])
    assert.deepStrictEqual(change, {
      range,
      before: [[null, null, null]],
      after: [after.map((text) => text.slice(0, 33_333))],
      size: { cells: 3, characters: 147_000 }
    })
    assert.deepStrictEqual(not_shown, { changes: 0, cells: 0, characters: 47_001 })
  })

  it("has the range of a change for which there is no room", () => {
    const row = Array.from({ length: 12_000 }, () => 1)
    const { changes } = showChanges([
      { range: "A1:QSN1", before: [], after: [row] },
      { range: "A2", before: [[2]], after: [[3]] }
    ])
    assert.deepStrictEqual(changes, [
      { range: "A1:QSN1", before: [], after: [row.slice(0, 10_000)], size: { cells: 12_000, characters: 12_000 } },
      { range: "A2", before: [], after: [], size: { cells: 1, characters: 1 } }
    ])
  })
})
