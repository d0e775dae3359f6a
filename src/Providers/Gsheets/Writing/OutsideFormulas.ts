import { Predicate } from "effect"
import type { Issue } from "../../../Domain/Validation/Issue.ts"
import { formulaStart } from "./FormulaGuard.ts"

/** Functions that read another spreadsheet or an address, in any case. */
const outsideFunction = /IMPORT(?:RANGE|DATA|HTML|XML|FEED)/i

const isAscii = /^[\0-\x7f]*$/

/** As a formula parser may read it, so that no compatible or invisible character hides a name. */
const plain = (text: string): string => isAscii.test(text) ? text : text.normalize("NFKC").replaceAll(/\p{Cf}/gu, "")

const namesOutside = (text: string): boolean => outsideFunction.test(plain(text))

const isOutsideFormula = (text: string): boolean => namesOutside(text) && formulaStart.test(plain(text))

const withoutHtml = (html: string): string =>
  html.replaceAll(/<[^>]*>/g, "").replaceAll(
    /&#(?:x(?<hex>[\da-f]{1,6})|(?<decimal>\d{1,7}));?/gi,
    (_, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code > 0x10_ff_ff ? "" : String.fromCodePoint(code)
    }
  )

const formulaMessage =
  "A formula with IMPORTRANGE, IMPORTDATA, IMPORTHTML, IMPORTXML or IMPORTFEED reads something other than the " +
  "resources that the call may use"

/** Of values that Sheets reads as if they were typed in. `RAW` values are text. */
export const enteredIssues = (
  valueInputOption: string | undefined,
  values: unknown,
  at: Issue["path"]
): ReadonlyArray<Issue> =>
  valueInputOption === "RAW" ? [] : findIssues(values, at, (value) => {
    return typeof value === "string" && isOutsideFormula(value) ? formulaMessage : undefined
  })

/** Of the rows of a tool, which can be JSON text. */
export const enteredRowIssues = (rows: unknown): ReadonlyArray<Issue> => {
  const at = ["input", "rows"]
  // Escapes in JSON text would hide a name.
  return typeof rows === "string" && enteredIssues(undefined, tryParse(rows), at).length > 0
    ? [{ path: at, message: formulaMessage }]
    : enteredIssues(undefined, rows, at)
}

const tryParse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Of structural requests, and of a new spreadsheet. */
export const requestIssues = (body: unknown): ReadonlyArray<Issue> =>
  findIssues(body, ["input", "body"], (value, name) => {
    if (typeof value === "string") return textIssue(value, name)
    switch (name) {
      case "findReplace":
        return mayWriteFormula(value)
          ? "This would replace inside formulas, or could leave a formula. Write the new values instead"
          : undefined
      case "textToColumns":
        return "A part of a text that begins with `=` could become a formula. Write the new values instead"
      case "pasteData":
        return Predicate.hasProperty(value, "data") && namesOutside(withoutHtml(String(value.data)))
          ? formulaMessage
          : undefined
      case "addDataSource":
      case "updateDataSource":
      case "dataSources":
        return "A data source reads something other than the resources that the call may use"
      default:
        return undefined
    }
  })

const textIssue = (text: string, name: string | number | undefined): string | undefined => {
  if (name === "stringValue") return undefined
  const isFormula = name === "formulaValue" || name === "formula"
  return (isFormula ? namesOutside(text) : isOutsideFormula(text)) ? formulaMessage : undefined
}

/** Text that begins with `=` after a replacement becomes a formula, also where the search leaves formulas out. */
const mayWriteFormula = (request: unknown): boolean => {
  const includes = Predicate.hasProperty(request, "includeFormulas") && request.includeFormulas === true
  const replacement = Predicate.hasProperty(request, "replacement") ? String(request.replacement) : ""
  return includes || replacement.trim() === "" || formulaStart.test(plain(replacement))
}

type Check = (value: unknown, name: string | number | undefined) => string | undefined

const findIssues = (root: unknown, at: Issue["path"], check: Check): ReadonlyArray<Issue> => {
  const issues: Array<Issue> = []
  const path = [...at]
  const visit = (value: unknown): void => {
    const message = check(value, path.at(-1))
    if (message !== undefined) {
      issues.push({ path: [...path], message })
      return
    }
    if (typeof value !== "object" || value === null) return
    for (const [name, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      path.push(name)
      visit(item)
      path.pop()
    }
  }
  visit(root)
  return issues
}
