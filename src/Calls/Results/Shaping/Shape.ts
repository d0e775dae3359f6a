import { parseNumbers } from "../../../Domain/Json/ExactNumber.ts"
import { nearestTable, tableOf } from "../../../Domain/Table/TableRows.ts"
import type { TableSource } from "../../../Domain/Table/TableSource.ts"
import { type TableFormat, tableText } from "../../../Domain/Table/TableText.ts"
import { select } from "./Select.ts"

export interface ShapeRequest {
  /** JMESPath. */
  readonly select?: string | undefined
  readonly format: "json" | TableFormat
  readonly source?: TableSource | undefined
}

export interface Shaped {
  /** The field `data` of the response, as JSON. */
  readonly data: string
}

export interface ShapeFailure {
  readonly field: "select" | "format" | "keep"
  readonly message: string
}

/** @param onParsed is called before the work whose time is limited */
export const shape = (json: string, request: ShapeRequest, onParsed: () => void): Shaped | ShapeFailure => {
  const { format, select: expression } = request
  const whole = parseNumbers(json)
  onParsed()
  let value = whole
  if (expression !== undefined) {
    try {
      value = select(expression, whole)
    } catch (error) {
      return { field: "select", message: messageOf(error) }
    }
  }
  if (format === "json") return { data: JSON.stringify(value) }
  const table = tableOf(value, whole, request.source)
  return table === undefined
    ? { field: "format", message: noTable(value, expression) }
    : { data: JSON.stringify(tableText(table, format)) }
}

export const noTable = (value: unknown, expression: string | undefined): string => {
  const nearest = nearestTable(value)
  const before = expression === undefined ? "" : `${expression} | `
  return nearest === undefined
    ? "Expected a table: a list of objects or of lists"
    : `Expected a table. The nearest list is \`select\`: ${JSON.stringify(before + nearest)}`
}

const messageOf = (error: unknown): string => error instanceof Error ? error.message : String(error)
