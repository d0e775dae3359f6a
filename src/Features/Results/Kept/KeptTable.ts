import type { Column, Table } from "../../../Domain/Table/Table.ts"

/** A table as it is stored. */
export interface KeptTable {
  readonly columns: ReadonlyArray<Column>
  readonly rows: number
  /** The length of all chunks, in UTF-8. */
  readonly bytes: number
  readonly chunks: ReadonlyArray<Chunk>
}

export interface Chunk {
  readonly firstRow: number
  readonly rows: number
  /** A JSON list of rows, each a list of cells. */
  readonly json: string
}

/** The length of a chunk in characters. A page reads and decrypts one or two chunks. */
const chunkLength = 262_144

export const toKept = ({ columns, rows }: Table): KeptTable => {
  const chunks: Array<Chunk> = []
  let parts: Array<string> = []
  let length = 0
  let bytes = 0
  const end = (next: number) => {
    if (parts.length === 0) return
    const json = `[${parts.join()}]`
    bytes += Buffer.byteLength(json)
    chunks.push({ firstRow: next - parts.length, rows: parts.length, json })
    parts = []
    length = 0
  }
  for (const [index, row] of rows.entries()) {
    const json = JSON.stringify(row)
    parts.push(json)
    length += json.length + 1
    if (length >= chunkLength) end(index + 1)
  }
  end(rows.length)
  return { columns, rows: rows.length, bytes, chunks }
}
