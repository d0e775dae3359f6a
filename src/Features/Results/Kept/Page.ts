import type { TablePart } from "../../../Domain/Calls/TablePart.ts"
import { parseNumbers } from "../../../Domain/Json/ExactNumber.ts"
import type { Cell, Column } from "../../../Domain/Table/Table.ts"
import { type TableForm, TableWriter, type WrittenTable } from "../TableWriter.ts"
import type { StoredChunks } from "./StoredResult.ts"

export interface PageRequest {
  readonly offset: number
  readonly limit: number
}

export interface PageJob extends PageRequest, StoredChunks {
  readonly columns: ReadonlyArray<Column>
  readonly total: number
  readonly part: TablePart | null
  readonly form: TableForm
}

export interface WrittenPage extends WrittenTable {
  readonly truncated: boolean
  readonly part: TablePart | null
}

export const writePage = ({ chunks, columns, form, isComplete, limit, offset, part, total }: PageJob): WrittenPage => {
  const writer = new TableWriter(columns.map(({ name }) => name), form, part === null ? {} : { part })
  const fits = chunks.every(({ firstRow, json }) => {
    const rows = parseRows(json).slice(Math.max(0, offset - firstRow), offset + limit - firstRow)
    return rows.every((row) => writer.add(row))
  })
  const truncated = !fits || !isComplete
  return { ...writer.end(columns, { total, ...truncated ? { truncated } : {} }), truncated, part }
}

/** Parses what the service has stored itself. */
const parseRows = (json: Uint8Array): ReadonlyArray<ReadonlyArray<Cell>> => {
  const rows: unknown = parseNumbers(new TextDecoder().decode(json))
  return Array.isArray(rows) ? rows : []
}
