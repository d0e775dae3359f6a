import { Result } from "effect"
import { deepStrictEqual } from "node:assert"
import { parseCells, rangeOnTab, rectangleName, splitTab } from "../../../src/Providers/Gsheets/A1.ts"
import { clipToGrid, resolveRange } from "../../../src/Providers/Gsheets/TabRange.ts"
import type { Tab } from "../../../src/Providers/Gsheets/Tabs.ts"
import { expect, type Target } from "../Target.ts"

const grid = { type: "grid", hidden: false, frozenRows: 0 } as const

const tabs: ReadonlyArray<Tab> = [
  { ...grid, id: 0, title: "Data", size: { rows: 1000, columns: 26 } },
  { ...grid, id: 7, title: "Jon's !A1", size: { rows: 3, columns: 2 } }
]

/** What is read is written as a range that is read as the same, and lies on the grid. */
export const ranges: Target = {
  seeds: [
    "B2",
    "$D$5:b2",
    "A:C",
    "2:3",
    "B2:C",
    "Data!B2:4",
    "'Jon''s !A1'!A1:B2",
    "has!bang!A1",
    "ZZZ999999999",
    "Data"
  ],
  run: (input) => {
    const text = input.toString()
    const { cells, tab } = splitTab(text)
    if (tab !== undefined) deepStrictEqual(splitTab(rangeOnTab(tab, cells)), { tab, cells })
    const range = parseCells(cells)
    if (range !== undefined) {
      const { bottom = Infinity, left, right = Infinity, top } = range
      expect(top >= 0 && left >= 0 && bottom > top && right > left, "an empty range")
      if (range.bottom !== undefined && range.right !== undefined) {
        const rectangle = { ...range, bottom: range.bottom, right: range.right }
        deepStrictEqual(parseCells(rectangleName(rectangle)), rectangle)
      }
    }
    const resolved = resolveRange(tabs, { range: text, spreadsheet: {} })
    if (Result.isFailure(resolved)) {
      expect(resolved.failure.length > 0, "a refusal without a reason")
      return
    }
    const { bottom, left, right, top } = clipToGrid(resolved.success)
    const { columns, rows } = resolved.success.tab.size
    expect(top < bottom && left < right && bottom <= rows && right <= columns, "cells outside of the grid")
  }
}
