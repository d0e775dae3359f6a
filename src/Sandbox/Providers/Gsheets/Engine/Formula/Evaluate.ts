import { notSimulated } from "../../../Google/GoogleError.ts"
import { type Area, indexes } from "../Area.ts"
import { equalsIgnoreCase } from "../Ranges.ts"
import type { Spreadsheet, Tab } from "../Spreadsheet.ts"
import { type CellError, cellError, isError, type Value } from "../Value.ts"
import { type Argument, callFunction } from "./Functions.ts"
import { applyBinary, toText } from "./Operators.ts"
import { type Expression, parseFormula } from "./Parser.ts"
import type { Reference } from "./Tokenizer.ts"

export interface FormulaContext {
  readonly spreadsheet: Spreadsheet
  readonly tab: Tab
  readonly now: number
  readonly valueAt: (tab: Tab, row: number, column: number) => Value
}

/** Throws for what the sandbox lacks. */
export const evaluateFormula = (formula: string, context: FormulaContext): Value =>
  evaluate(parseFormula(formula), context)

/** The address that a formula with HYPERLINK as its outermost function points to. */
export const evaluateLink = (formula: string, context: FormulaContext): string | undefined => {
  const expression = parseFormula(formula)
  const [address] = expression.kind === "call" && expression.name === "HYPERLINK" ? expression.args : []
  const value = address === undefined ? null : evaluate(address, context)
  return isError(value) || value === null ? undefined : toText(value)
}

const evaluate = (expression: Expression, context: FormulaContext): Value => {
  switch (expression.kind) {
    case "literal":
      return expression.value
    case "reference": {
      const { values } = readReference(expression.reference, context)
      if (values.length > 1) throw notSimulated("ranges of several cells outside of functions")
      return values[0] ?? null
    }
    case "call":
      return callFunction(expression.name, expression.args.map((each) => argument(each, context)), context.now)
    case "binary":
      return applyBinary(expression.operator, evaluate(expression.left, context), evaluate(expression.right, context))
  }
}

const argument = (expression: Expression, context: FormulaContext): Argument =>
  expression.kind === "reference"
    ? readReference(expression.reference, context)
    : { values: [evaluate(expression, context)], isRange: false }

const readReference = (reference: Reference, context: FormulaContext): Argument => {
  const { tab: title } = reference
  const tab = title === undefined
    ? context.tab
    : context.spreadsheet.tabs.find((each) => equalsIgnoreCase(each.title, title))
  if (tab === undefined) return failed(cellError("REF", `Unresolved sheet name '${title}'.`))
  const area = areaOf(reference, tab)
  if (area.bottom > tab.rowCount || area.right > tab.columnCount) {
    return failed(cellError("REF", "Reference does not exist."))
  }
  const values = indexes(area.top, area.bottom).flatMap((row) =>
    indexes(area.left, area.right).map((column) => context.valueAt(tab, row, column))
  )
  return { values, isRange: true }
}

const failed = (error: CellError): Argument => ({ values: [error], isRange: false })

const areaOf = ({ from, to = from }: Reference, tab: Tab): Area => {
  const [top, bottom] = [from.row ?? 0, to.row ?? tab.rowCount - 1]
  const [left, right] = [from.column ?? 0, to.column ?? tab.columnCount - 1]
  return {
    top: Math.min(top, bottom),
    left: Math.min(left, right),
    bottom: Math.max(top, bottom) + 1,
    right: Math.max(left, right) + 1
  }
}
