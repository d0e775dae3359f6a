import { DateTime, Option } from "effect"
import { evaluateFormula, evaluateLink } from "./Formula/Evaluate.ts"
import { toText } from "./Formula/Operators.ts"
import { resultFormat } from "./Formula/ResultFormat.ts"
import { cellAt, formulaOf } from "./Grid.ts"
import { numberText } from "./NumberText.ts"
import { serialOfMillis } from "./Serial.ts"
import type { NumberFormat, Spreadsheet, Tab } from "./Spreadsheet.ts"
import { cellError, literalOf, type Value } from "./Value.ts"

/** Each function throws for what the sandbox lacks. */
export interface ComputedCells {
  readonly valueAt: (tab: Tab, row: number, column: number) => Value
  readonly formatAt: (tab: Tab, row: number, column: number) => NumberFormat | undefined
  readonly textAt: (tab: Tab, row: number, column: number) => string
  /** The link that a formula makes. */
  readonly linkAt: (tab: Tab, row: number, column: number) => string | undefined
}

export const computeCells = (spreadsheet: Spreadsheet, nowMillis: number): ComputedCells => {
  const now = serialOfMillis(wallClock(nowMillis, spreadsheet.properties.timeZone))
  const results = new Map<string, Value>()
  const formats = new Set<string>()

  const valueAt = (tab: Tab, row: number, column: number): Value => {
    const cell = cellAt(tab, row, column)
    const formula = formulaOf(cell)
    if (formula === undefined) return literalOf(cell?.userEnteredValue)
    const key = keyOf(tab, row, column)
    const known = results.get(key)
    if (known !== undefined) return known
    results.set(key, cellError("REF", "Circular dependency detected."))
    const result = evaluateFormula(formula, { spreadsheet, tab, now, valueAt })
    results.set(key, result)
    return result
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
    return typeof value === "number" ? numberText(value, formatAt(tab, row, column)) : toText(value)
  }

  const linkAt = (tab: Tab, row: number, column: number): string | undefined => {
    const formula = formulaOf(cellAt(tab, row, column))
    return formula === undefined ? undefined : evaluateLink(formula, { spreadsheet, tab, now, valueAt })
  }

  return { valueAt, formatAt, textAt, linkAt }
}

const keyOf = (tab: Tab, row: number, column: number): string => `${tab.sheetId} ${row} ${column}`

const wallClock = (millis: number, timeZone: string): number =>
  Option.match(DateTime.makeZoned(millis, { timeZone }), {
    onNone: () => millis,
    onSome: (zoned) => DateTime.toEpochMillis(zoned) + DateTime.zonedOffset(zoned)
  })
