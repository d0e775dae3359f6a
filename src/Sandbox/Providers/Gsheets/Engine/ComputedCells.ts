import { DateTime, Option } from "effect"
import { cellName } from "../../../../Providers/Gsheets/A1.ts"
import { widestOf } from "./Area.ts"
import { evaluateFormula, evaluateLink } from "./Formula/Evaluate.ts"
import { isMatrix, type Operand } from "./Formula/Operand.ts"
import { resultFormat } from "./Formula/ResultFormat.ts"
import { cellAt, formulaOf } from "./Grid.ts"
import { numberText } from "./NumberText.ts"
import { serialOfMillis } from "./Serial.ts"
import type { NumberFormat, Spreadsheet, Tab } from "./Spreadsheet.ts"
import { cellError, errorText, isError, literalOf, type Value } from "./Value.ts"

export interface ComputedCells {
  readonly valueAt: (tab: Tab, row: number, column: number) => Value
  readonly formatAt: (tab: Tab, row: number, column: number) => NumberFormat | undefined
  readonly textAt: (tab: Tab, row: number, column: number) => string
  /** Of a formula that makes one. */
  readonly linkAt: (tab: Tab, row: number, column: number) => string | undefined
  readonly spilled: (tab: Tab) => Spill
}

type Spill = ReadonlyMap<number, ReadonlyMap<number, Value>>

export const computeCells = (spreadsheet: Spreadsheet, nowMillis: number): ComputedCells => {
  const now = serialOfMillis(wallClock(nowMillis, spreadsheet.properties.timeZone))
  const results = new Map<string, Operand | "pending">()
  const spills = new Map<number, Map<number, Map<number, Value>>>()
  const formats = new Set<string>()

  const resultAt = (tab: Tab, row: number, column: number, formula: string): Operand => {
    const key = keyOf(tab, row, column)
    const known = results.get(key)
    if (known === "pending") return cellError("REF", "Circular dependency detected.")
    if (known !== undefined) return known
    results.set(key, "pending")
    const evaluated = evaluateFormula(formula, { spreadsheet, tab, row, column, now, valueAt })
    const result = isMatrix(evaluated) ? fitArray(tab, row, column, evaluated.values) : evaluated
    results.set(key, result)
    return result
  }

  const valueAt = (tab: Tab, row: number, column: number): Value => {
    const cell = cellAt(tab, row, column)
    const formula = formulaOf(cell)
    if (formula === undefined) return literalOf(cell?.userEnteredValue) ?? spilled(tab).get(row)?.get(column) ?? null
    const result = resultAt(tab, row, column, formula)
    return isMatrix(result) ? result.values[0]?.[0] ?? null : result
  }

  const spilled = (tab: Tab): Spill => {
    const known = spills.get(tab.sheetId)
    if (known !== undefined) return known
    const spill = new Map<number, Map<number, Value>>()
    spills.set(tab.sheetId, spill)
    for (const [row, cells] of tab.rows.entries()) {
      for (const [column, cell] of cells.entries()) {
        const formula = formulaOf(cell)
        if (formula === undefined || !arrayFormulaPattern.test(formula)) continue
        const result = resultAt(tab, row, column, formula)
        if (isMatrix(result)) addSpill(spill, row, column, result.values)
      }
    }
    return spill
  }

  const formatAt = (tab: Tab, row: number, column: number): NumberFormat | undefined => {
    const cell = cellAt(tab, row, column)
    const formula = formulaOf(cell)
    const own = cell?.userEnteredFormat?.numberFormat
    if (own !== undefined || formula === undefined) return own
    const key = keyOf(tab, row, column)
    if (formats.has(key)) return undefined
    formats.add(key)
    const derived = resultFormat(formula, { spreadsheet, tab }, formatAt)
    formats.delete(key)
    return derived
  }

  const textAt = (tab: Tab, row: number, column: number): string => {
    const value = valueAt(tab, row, column)
    if (value === null) return ""
    if (isError(value)) return errorText(value)
    if (typeof value === "boolean") return value ? "TRUE" : "FALSE"
    return typeof value === "number" ? numberText(value, formatAt(tab, row, column)) : value
  }

  const linkAt = (tab: Tab, row: number, column: number): string | undefined => {
    const formula = formulaOf(cellAt(tab, row, column))
    return formula === undefined
      ? undefined
      : evaluateLink(formula, { spreadsheet, tab, row, column, now, valueAt })
  }

  return { valueAt, formatAt, textAt, linkAt, spilled }
}

const keyOf = (tab: Tab, row: number, column: number): string => `${tab.sheetId} ${row} ${column}`

const arrayFormulaPattern = /ARRAYFORMULA|SEQUENCE|TRANSPOSE|UNIQUE|\{/i

const fitArray = (tab: Tab, row: number, column: number, values: ReadonlyArray<ReadonlyArray<Value>>): Operand => {
  const columns = widestOf(values)
  const missing = row + values.length - tab.rowCount
  if (missing > 0) {
    return cellError("REF", `Result was not automatically expanded, please insert more rows (${missing}).`)
  }
  if (column + columns > tab.columnCount) {
    return cellError("REF", "Result was not automatically expanded, please insert more columns.")
  }
  for (const [down, cells] of values.entries()) {
    for (const right of cells.keys()) {
      const isOwn = down === 0 && right === 0
      if (!isOwn && cellAt(tab, row + down, column + right)?.userEnteredValue !== undefined) {
        const name = cellName(row + down, column + right)
        return cellError("REF", `Array result was not expanded because it would overwrite data in ${name}.`)
      }
    }
  }
  return { values }
}

const addSpill = (
  spill: Map<number, Map<number, Value>>,
  row: number,
  column: number,
  values: ReadonlyArray<ReadonlyArray<Value>>
): void => {
  for (const [down, cells] of values.entries()) {
    const at = spill.get(row + down) ?? new Map<number, Value>()
    spill.set(row + down, at)
    for (const [right, value] of cells.entries()) {
      if (down > 0 || right > 0) at.set(column + right, value)
    }
  }
}

const wallClock = (millis: number, timeZone: string): number =>
  Option.match(DateTime.makeZoned(millis, { timeZone }), {
    onNone: () => millis,
    onSome: (zoned) => DateTime.toEpochMillis(zoned) + DateTime.zonedOffset(zoned)
  })
