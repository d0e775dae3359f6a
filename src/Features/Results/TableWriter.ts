import type { Cell, Column } from "../../Domain/Table/Table.ts"
import { type TableFormat, tableHead, tableLine } from "../../Domain/Table/TableText.ts"

export interface TableForm {
  readonly format: "json" | TableFormat
  /** The longest answer, in bytes. */
  readonly limit: number
  /** The answer becomes a string in JSON, and `limit` counts the characters of that string. */
  readonly isQuoted?: boolean
}

/** A table in its form, as UTF-8. */
export interface WrittenTable {
  readonly body: Uint8Array<ArrayBuffer>
  readonly rows: number
}

/** Bytes reserved for the fields after the rows. */
const reserved = 100

/** Writes a table row by row, so that memory never holds more than an answer may have. */
export class TableWriter {
  readonly #form: TableForm
  readonly #beside: Readonly<Record<string, unknown>>
  readonly #lines: Array<string> = []
  #left: number

  /** @param beside further fields of JSON, known before the rows */
  constructor(names: ReadonlyArray<string>, form: TableForm, beside: Readonly<Record<string, unknown>> = {}) {
    this.#form = form
    this.#beside = beside
    // The longest name of a type, so that the head with the real types is not longer.
    const widest = names.map((name): Column => ({ name, type: "boolean" }))
    this.#left = form.limit - reserved - this.#lengthOf(headOf(widest, form.format)) -
      this.#lengthOf(JSON.stringify(beside))
  }

  get rows(): number {
    return this.#lines.length
  }

  /** False if the answer has no room for the row. It then ends before it. */
  add(row: ReadonlyArray<Cell>): boolean {
    const { format } = this.#form
    const line = format === "json" ? JSON.stringify(row) : tableLine(row, format)
    const length = this.#lengthOf(line) + 1
    if (length > this.#left) return false
    this.#left -= length
    this.#lines.push(line)
    return true
  }

  /** @param fields further fields of JSON, known after the rows */
  end(columns: ReadonlyArray<Column>, fields: Readonly<Record<string, number | boolean>>): WrittenTable {
    const { format } = this.#form
    const head = headOf(columns, format)
    const text = format === "json"
      ? `${head}${this.#lines.join()}],${JSON.stringify({ ...fields, ...this.#beside }).slice(1)}`
      : columns.length === 0
      ? ""
      : head + this.#lines.join("")
    return { body: new TextEncoder().encode(text), rows: this.rows }
  }

  #lengthOf(text: string): number {
    const { format, isQuoted = false } = this.#form
    if (!isQuoted) return Buffer.byteLength(text)
    return format === "json" ? text.length : JSON.stringify(text).length
  }
}

const headOf = (columns: ReadonlyArray<Column>, format: TableForm["format"]): string =>
  format === "json" ? `{"columns":${JSON.stringify(columns)},"rows":[` : tableHead(columns, format)
