import type { ErrorValue } from "../../../../Providers/Gsheets/Generated.ts"
import type { Entered } from "./Spreadsheet.ts"

export type ErrorType = NonNullable<typeof ErrorValue.Type.type>

export interface CellError {
  readonly error: ErrorType
  readonly message: string
}

export type Value = null | string | number | boolean | CellError

export const cellError = (error: ErrorType, message: string): CellError => ({ error, message })

export const isError = (value: Value): value is CellError => typeof value === "object" && value !== null

const errorTexts: Readonly<Record<ErrorType, string>> = {
  ERROR_TYPE_UNSPECIFIED: "#ERROR!",
  ERROR: "#ERROR!",
  NULL_VALUE: "#NULL!",
  DIVIDE_BY_ZERO: "#DIV/0!",
  VALUE: "#VALUE!",
  REF: "#REF!",
  NAME: "#NAME?",
  NUM: "#NUM!",
  N_A: "#N/A",
  LOADING: "Loading..."
}

export const errorText = ({ error }: CellError): string => errorTexts[error]

const errorTypes: ReadonlyArray<ErrorType> = ["NULL_VALUE", "DIVIDE_BY_ZERO", "VALUE", "REF", "NAME", "NUM", "N_A"]

export const parseError = (text: string): CellError =>
  cellError(errorTypes.find((type) => errorTexts[type] === text.toUpperCase()) ?? "ERROR", "")

export const literalOf = (entered: Entered | undefined): Value =>
  (entered?.stringValue || undefined) ?? entered?.numberValue ?? entered?.boolValue ?? null

export const enteredOf = (value: string | number | boolean): Entered =>
  typeof value === "string"
    ? { stringValue: value }
    : typeof value === "number"
    ? { numberValue: value }
    : { boolValue: value }
