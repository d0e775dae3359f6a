import { Predicate } from "effect"
import type { Issue } from "../../../Domain/Validation/Issue.ts"
import { formulaStart } from "./FormulaGuard.ts"

/** Functions that read another spreadsheet or an address, in any case. */
const outsideFunction = /IMPORT(?:RANGE|DATA|HTML|XML|FEED)/i

const isAscii = /^[\0-\x7f]*$/

/** Normalizes a formula as a parser may read it, so that no compatible or invisible character hides a name. */
const plain = (text: string): string => isAscii.test(text) ? text : text.normalize("NFKC").replaceAll(/\p{Cf}/gu, "")

const namesOutside = (text: string): boolean => outsideFunction.test(plain(text))

const isOutsideFormula = (text: string): boolean => namesOutside(text) && formulaStart.test(plain(text))

const formulaMessage =
  "A formula with IMPORTRANGE, IMPORTDATA, IMPORTHTML, IMPORTXML or IMPORTFEED reads something other than the " +
  "resources that the call may use"

/** Issues of values that Sheets reads as if they were typed in. `RAW` values are text. */
export const enteredIssues = (
  valueInputOption: string | undefined,
  values: unknown,
  at: Issue["path"]
): ReadonlyArray<Issue> =>
  valueInputOption === "RAW" ? [] : findIssues(values, at, (value) => {
    return typeof value === "string" && isOutsideFormula(value) ? formulaMessage : undefined
  })

/** Issues of structural requests and of a new spreadsheet. */
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
        return pasteIssue(value)
      case "trimWhitespace":
        return "Text that begins with `=` after it was trimmed becomes a formula. Write the new values instead"
      case "richLinkProperties":
        return "A chip of a file shows the name of a file other than the resources that the call may use"
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

/** HTML can hide a formula in more ways than can be read here. */
const pasteIssue = (paste: unknown): string | undefined => {
  if (Predicate.hasProperty(paste, "html") && paste.html === true) {
    return "Pasted HTML could become a formula. Paste text with a delimiter instead"
  }
  const data = plain(Predicate.hasProperty(paste, "data") ? String(paste.data) : "")
  const delimiter = Predicate.hasProperty(paste, "delimiter") ? plain(String(paste.delimiter)) : ""
  const cells = delimiter === "" ? [data] : data.split(delimiter)
  const hasFormula = cells.flatMap((cell) => cell.split(/["\t\r\n]/)).some((cell) => formulaStart.test(cell))
  return hasFormula && namesOutside(data) ? formulaMessage : undefined
}

/** Text that begins with `=` after a replacement becomes a formula, also where the search leaves formulas out. */
const mayWriteFormula = (request: unknown): boolean => {
  const isSet = (name: string) => Predicate.hasProperty(request, name) && request[name] === true
  const replacement = plain(Predicate.hasProperty(request, "replacement") ? String(request.replacement) : "")
  // A reference to a group can be empty or begin with `=`, and Google removes a backslash.
  const mayEndEmpty = isSet("searchByRegex") ? /^\s*(?:[$\\]|$)/ : /^\s*$/
  return isSet("includeFormulas") || mayEndEmpty.test(replacement) || formulaStart.test(replacement)
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
