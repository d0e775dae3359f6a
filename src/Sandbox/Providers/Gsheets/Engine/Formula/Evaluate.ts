import { type Area, indexes } from "../Area.ts"
import { equalsIgnoreCase } from "../Ranges.ts"
import type { Spreadsheet, Tab } from "../Spreadsheet.ts"
import { cellError, isError, type Value } from "../Value.ts"
import { type Aggregate, aggregates } from "./Aggregates.ts"
import { elementwise } from "./Elementwise.ts"
import { broadcast, flatten, isMatrix, type Matrix, type Operand, toBoolean, toMatrix, toText } from "./Operand.ts"
import { applyArithmetic, applyBinary, negate } from "./Operators.ts"
import { type Expression, parseFormula } from "./Parser.ts"
import type { Reference } from "./Tokenizer.ts"

export interface FormulaContext {
  readonly spreadsheet: Spreadsheet
  readonly tab: Tab
  readonly row: number
  readonly column: number
  readonly now: number
  readonly valueAt: (tab: Tab, row: number, column: number) => Value
}

export const evaluateFormula = (formula: string, context: FormulaContext): Operand => {
  const expression = parseFormula(formula)
  if (expression === undefined) return cellError("ERROR", "Formula parse error.")
  const scope = { ...context, inArrayFormula: false }
  const result = evaluate(expression, scope)
  return isMatrix(result) && result.at !== undefined && expression.kind !== "call" ? narrow(result, scope) : result
}

/** The address that a formula with HYPERLINK as its outermost function points to. */
export const evaluateLink = (formula: string, context: FormulaContext): string | undefined => {
  const expression = parseFormula(formula)
  const [address] = expression?.kind === "call" && expression.name === "HYPERLINK" ? expression.args : []
  if (address === undefined) return undefined
  const scope = { ...context, inArrayFormula: false }
  const value = narrow(evaluate(address, scope), scope)
  return isMatrix(value) || isError(value) || value === null ? undefined : toText(value)
}

/** The functions that would give no value here. */
export const unknownFunctions = (expression: Expression | undefined): ReadonlyArray<string> => {
  switch (expression?.kind) {
    case "call":
      return [
        ...isKnown(expression.name) ? [] : [expression.name],
        ...expression.args.flatMap(unknownFunctions)
      ]
    case "array":
      return expression.rows.flat().flatMap(unknownFunctions)
    case "sign":
    case "percent":
      return unknownFunctions(expression.of)
    case "binary":
      return [...unknownFunctions(expression.left), ...unknownFunctions(expression.right)]
    default:
      return []
  }
}

const ownFunctions = new Set(["ARRAYFORMULA", "IF", "IFERROR", "IFNA", "ROW", "COLUMN", "TODAY", "NOW"])

const isKnown = (name: string): boolean => ownFunctions.has(name) || elementwise.has(name) || aggregates.has(name)

interface Scope extends FormulaContext {
  readonly inArrayFormula: boolean
}

const evaluate = (expression: Expression, scope: Scope): Operand => {
  switch (expression.kind) {
    case "literal":
      return expression.value
    case "reference":
      return resolveReference(expression.reference, scope)
    case "name":
      return resolveNamedRange(expression.name, scope)
    case "array":
      return evaluateArray(expression.rows.map((row) => row.map((each) => evaluate(each, scope))))
    case "call":
      return callFunction(expression.name, expression.args, scope)
    case "sign":
      return applyElementwise(
        [expression.of],
        scope,
        ([value = null]) => expression.operator === "+" ? value : negate(value)
      )
    case "percent":
      return applyElementwise([expression.of], scope, ([value = null]) => applyArithmetic("/", value, 100))
    case "binary":
      return applyElementwise(
        [expression.left, expression.right],
        scope,
        ([left = null, right = null]) => applyBinary(expression.operator, left, right)
      )
  }
}

const applyElementwise = (
  operands: ReadonlyArray<Expression>,
  scope: Scope,
  of: (values: ReadonlyArray<Value>) => Value
): Operand => broadcast(operands.map((each) => narrow(evaluate(each, scope), scope)), of)

const narrow = (operand: Operand, scope: Scope): Operand => {
  if (!isMatrix(operand) || scope.inArrayFormula) return operand
  const only = operand.values.length === 1 && operand.values[0]?.length === 1 ? operand.values[0][0] : undefined
  if (only !== undefined) return only
  const area = operand.at?.area
  if (area === undefined) return operand.values[0]?.[0] ?? null
  const column = area.right - area.left === 1 ? 0 : scope.column - area.left
  const row = area.bottom - area.top === 1 ? 0 : scope.row - area.top
  return operand.values[row]?.[column] ?? cellError("VALUE", "An array value could not be found.")
}

const callFunction = (name: string, args: ReadonlyArray<Expression>, scope: Scope): Operand => {
  const [first, second, third] = args
  switch (name) {
    case "ARRAYFORMULA":
      return first === undefined ? wrongArgumentCount(name) : evaluate(first, { ...scope, inArrayFormula: true })
    case "IF":
      return first === undefined || second === undefined
        ? wrongArgumentCount(name)
        : evaluateIf(first, second, third, scope)
    case "IFERROR":
    case "IFNA":
      return first === undefined ? wrongArgumentCount(name) : evaluateIfError(name, first, second, scope)
    case "ROW":
    case "COLUMN":
      return evaluateRowOrColumn(name, first, scope)
    case "TODAY":
      return Math.floor(scope.now)
    case "NOW":
      return scope.now
  }
  const each = elementwise.get(name)
  if (each !== undefined) {
    if (args.length < each.minArguments || args.length > each.maxArguments) return wrongArgumentCount(name)
    return applyElementwise(
      args,
      scope,
      (values) => each.takesErrors === true ? each.apply(values) : values.find(isError) ?? each.apply(values)
    )
  }
  const aggregate = aggregates.get(name)
  if (aggregate !== undefined) {
    return args.length < aggregate.minArguments ? wrongArgumentCount(name) : callAggregate(aggregate, args, scope)
  }
  return cellError("ERROR", `The sandbox does not evaluate the function ${name}.`)
}

const callAggregate = (
  { apply, singleValueArguments = [] }: Aggregate,
  args: ReadonlyArray<Expression>,
  scope: Scope
): Operand => {
  const operands = args.map((arg, index) =>
    singleValueArguments.includes(index) ? narrow(evaluate(arg, scope), scope) : evaluate(arg, scope)
  )
  const several = singleValueArguments.filter((index) => isMatrix(operands[index] ?? null))
  if (several.length === 0) return apply(operands)
  return broadcast(several.map((index) => operands[index] ?? null), (values) => {
    const single = apply(
      operands.map((operand, index) => several.includes(index) ? values[several.indexOf(index)] ?? null : operand)
    )
    return isMatrix(single) ? cellError("ERROR", "The sandbox does not evaluate arrays of arrays.") : single
  })
}

const wrongArgumentCount = (name: string) => cellError("N_A", `Wrong number of arguments to ${name}.`)

const evaluateIf = (
  condition: Expression,
  then: Expression,
  otherwise: Expression | undefined,
  scope: Scope
): Operand => {
  const test = narrow(evaluate(condition, scope), scope)
  const yes = () => narrow(evaluate(then, scope), scope)
  const no = () => otherwise === undefined ? false : narrow(evaluate(otherwise, scope), scope)
  if (!isMatrix(test)) return branch(test, yes, no)
  return broadcast([test, yes(), no()], ([value = null, one = null, other = null]) => {
    const decided = toBoolean(value)
    return isError(decided) ? decided : decided ? one : other
  })
}

const branch = (test: Value, yes: () => Operand, no: () => Operand): Operand => {
  const decided = toBoolean(test)
  return isError(decided) ? decided : decided ? yes() : no()
}

const evaluateIfError = (name: string, value: Expression, instead: Expression | undefined, scope: Scope): Operand => {
  const replaces = (each: Value) => isError(each) && (name === "IFERROR" || each.error === "N_A")
  const tried = narrow(evaluate(value, scope), scope)
  const other = () => instead === undefined ? null : narrow(evaluate(instead, scope), scope)
  if (!isMatrix(tried)) return replaces(tried) ? other() : tried
  return broadcast([tried, other()], ([each = null, replacement = null]) => replaces(each) ? replacement : each)
}

const evaluateRowOrColumn = (name: string, of: Expression | undefined, scope: Scope): Operand => {
  const at = of === undefined ? undefined : toMatrix(evaluate(of, scope)).at?.area
  if (of !== undefined && at === undefined) return cellError("N_A", `${name} takes a range.`)
  const area = at ?? { top: scope.row, left: scope.column, bottom: scope.row + 1, right: scope.column + 1 }
  const values = name === "ROW"
    ? indexes(area.top, area.bottom).map((row) => [row + 1])
    : [indexes(area.left, area.right).map((column) => column + 1)]
  return scope.inArrayFormula ? { values } : values[0]?.[0] ?? null
}

const evaluateArray = (rows: ReadonlyArray<ReadonlyArray<Operand>>): Operand => ({
  values: rows.map((row) => row.flatMap((each) => flatten(each)))
})

const resolveReference = ({ from, tab: title, to = from }: Reference, scope: Scope): Operand => {
  const tab = title === undefined
    ? scope.tab
    : scope.spreadsheet.tabs.find((each) => equalsIgnoreCase(each.title, title))
  if (tab === undefined) return cellError("REF", `Unresolved sheet name '${title}'.`)
  const top = from.row?.index ?? 0
  const left = from.column?.index ?? 0
  const bottom = (to.row?.index ?? tab.rowCount - 1) + 1
  const right = (to.column?.index ?? tab.columnCount - 1) + 1
  const area = {
    top: Math.min(top, bottom - 1),
    left: Math.min(left, right - 1),
    bottom: Math.max(top + 1, bottom),
    right: Math.max(left + 1, right)
  }
  return area.bottom > tab.rowCount || area.right > tab.columnCount
    ? cellError("REF", "Reference does not exist.")
    : readArea(tab, area, scope)
}

const resolveNamedRange = (name: string, scope: Scope): Operand => {
  const named = scope.spreadsheet.namedRanges.find((each) => equalsIgnoreCase(each.name, name))
  const tab = scope.spreadsheet.tabs.find(({ sheetId }) => sheetId === named?.sheetId)
  return named === undefined || tab === undefined
    ? cellError("NAME", `Unknown range name: '${name}'.`)
    : readArea(tab, named.area, scope)
}

const readArea = (tab: Tab, area: Area, scope: Scope): Matrix => ({
  values: indexes(area.top, area.bottom).map((row) =>
    indexes(area.left, area.right).map((column) => scope.valueAt(tab, row, column))
  ),
  at: { tab, area }
})
