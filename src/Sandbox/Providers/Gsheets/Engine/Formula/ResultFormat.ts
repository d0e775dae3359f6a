import { equalsIgnoreCase } from "../Ranges.ts"
import type { NumberFormat, Tab } from "../Spreadsheet.ts"
import type { FormulaContext } from "./Evaluate.ts"
import { type Expression, parseFormula } from "./Parser.ts"
import type { Reference } from "./Tokenizer.ts"

export const resultFormat = (
  formula: string,
  context: Pick<FormulaContext, "spreadsheet" | "tab">,
  formatAt: (tab: Tab, row: number, column: number) => NumberFormat | undefined
): NumberFormat | undefined => {
  const expression = parseFormula(formula)
  return expression === undefined ? undefined : formatOf(expression, (reference) => {
    const tab = reference.tab === undefined
      ? context.tab
      : context.spreadsheet.tabs.find(({ title }) => equalsIgnoreCase(title, reference.tab ?? ""))
    return tab && formatAt(tab, reference.from.row?.index ?? 0, reference.from.column?.index ?? 0)
  })
}

const dateFunctions: Readonly<Record<string, NumberFormat["type"]>> = {
  NOW: "DATE_TIME",
  TODAY: "DATE",
  DATE: "DATE",
  TIME: "TIME"
}

const formatKeepingFunctions = new Set([
  "SUM",
  "AVERAGE",
  "MIN",
  "MAX",
  "ROUND",
  "ROUNDUP",
  "ROUNDDOWN",
  "ABS",
  "ARRAYFORMULA",
  "IFERROR",
  "IFNA"
])

const formatOf = (
  expression: Expression,
  formatOfCell: (reference: Reference) => NumberFormat | undefined
): NumberFormat | undefined => {
  const of = (each: Expression | undefined) => each && formatOf(each, formatOfCell)
  switch (expression.kind) {
    case "reference":
      return formatOfCell(expression.reference)
    case "sign":
      return of(expression.of)
    case "percent":
      return { type: "PERCENT" }
    case "binary": {
      const [left, right] = [of(expression.left), of(expression.right)]
      if (expression.operator === "-" && left !== undefined && right !== undefined) {
        return isDate(left) && isDate(right) ? undefined : left
      }
      return ["+", "-", "*", "/"].includes(expression.operator) ? left ?? right : undefined
    }
    case "call": {
      const type = dateFunctions[expression.name]
      if (type !== undefined) return { type }
      if (expression.name === "IF") return of(expression.args[1]) ?? of(expression.args[2])
      return formatKeepingFunctions.has(expression.name) ? of(expression.args[0]) : undefined
    }
    default:
      return undefined
  }
}

const isDate = ({ type }: NumberFormat): boolean => type === "DATE" || type === "DATE_TIME"
