import { equalsIgnoreCase } from "../Ranges.ts"
import type { NumberFormat, Tab } from "../Spreadsheet.ts"
import type { FormulaContext } from "./Evaluate.ts"
import { type Expression, parseFormula } from "./Parser.ts"

type FormatAt = (tab: Tab, row: number, column: number) => NumberFormat | undefined

/** The format that a cell takes over from its formula. */
export const resultFormat = (
  formula: string,
  { spreadsheet, tab }: Pick<FormulaContext, "spreadsheet" | "tab">,
  formatAt: FormatAt
): NumberFormat | undefined => {
  const formatOf = (expression: Expression): NumberFormat | undefined => {
    switch (expression.kind) {
      case "literal":
        return undefined
      case "reference": {
        const { from, tab: title } = expression.reference
        const home = title === undefined ? tab : spreadsheet.tabs.find((each) => equalsIgnoreCase(each.title, title))
        return home && formatAt(home, from.row ?? 0, from.column ?? 0)
      }
      case "binary": {
        if (!["+", "-", "*", "/"].includes(expression.operator)) return undefined
        const [left, right] = [formatOf(expression.left), formatOf(expression.right)]
        return expression.operator === "-" && isDate(left) && isDate(right) ? undefined : left ?? right
      }
      case "call": {
        const [first] = expression.args
        return ofFunctions[expression.name] ??
          (first !== undefined && ["SUM", "AVERAGE"].includes(expression.name) ? formatOf(first) : undefined)
      }
    }
  }
  return formatOf(parseFormula(formula))
}

const ofFunctions: Readonly<Record<string, NumberFormat>> = {
  NOW: { type: "DATE_TIME" },
  TODAY: { type: "DATE" },
  TIME: { type: "TIME" }
}

const isDate = (format: NumberFormat | undefined): boolean => format?.type === "DATE" || format?.type === "DATE_TIME"
