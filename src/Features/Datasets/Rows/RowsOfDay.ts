import type { JsonText } from "../../../Domain/Json/JsonText.ts"
import { type CellsByColumn, type Column, countRows } from "../../../Domain/Table/Table.ts"
import type { TableSource } from "../../../Domain/Table/TableSource.ts"
import { makeParquet, type ParquetFile } from "./Parquet.ts"
import { rowsOfResponse } from "./ResponseRows.ts"
import { SummedRows } from "./SummedRows.ts"

export interface Layout {
  /** The columns of responses. */
  readonly names: ReadonlyArray<string>
  /** The places in `names` of the columns of the file. */
  readonly places: ReadonlyArray<number>
  /** The place in `names` of the clicks or of the first metric. */
  readonly counted: number
  /** The rows of a full page. After full pages, the parts of the day may be read too, so their rows are noted. */
  readonly pageRows?: number
}

export interface ReadRows {
  readonly rows: number
  /** The fields of the response that are no lists. */
  readonly fields: unknown
}

export interface EndedDay {
  readonly rows: number
  /** Clicks, or the first metric. */
  readonly sum: number
  /** Parquet. */
  readonly content: Uint8Array<ArrayBuffer>
}

/** Rows that are written together. Lists of more than 16,000 cells are new memory each time, which takes longer to fill. */
const partRows = 10_000

/** The file of a day, while it is made: rows of the whole day, then the sums of its parts. */
export class RowsOfDay {
  readonly #layout: Layout
  readonly #file: ParquetFile
  readonly #sums: SummedRows
  /** The dimensions of long pages, whose rows are not summed. They are looked up if the day has parts. */
  readonly #pages: Array<CellsByColumn> = []
  readonly #part: Array<CellsByColumn> = []
  #rows = 0
  #sum = 0

  constructor(columns: ReadonlyArray<Column>, layout: Layout) {
    this.#layout = layout
    this.#file = makeParquet(columns)
    this.#sums = new SummedRows(layout.counted)
  }

  /**
   * Adds the rows of a response. `undefined` if it has no rows.
   *
   * @throws WrongCell
   */
  write(json: JsonText, source: TableSource | undefined): ReadRows | undefined {
    return this.#read(json, source, (cells, rows) => {
      if (rows === this.#layout.pageRows) this.#pages.push(cells.slice(0, this.#layout.counted))
      this.#add(cells)
    })
  }

  /** Keeps the rows of a response, one of a part of the day, until `endPart`. */
  keep(json: JsonText, source: TableSource | undefined): ReadRows | undefined {
    return this.#read(json, source, (cells) => this.#part.push(cells))
  }

  /** Adds the rows that were kept to the sums, or forgets them. */
  endPart(isSummed: boolean): void {
    for (const cells of this.#pages.splice(0)) this.#sums.leaveOut(cells)
    for (const cells of this.#part.splice(0)) if (isSummed) this.#sums.add(cells)
  }

  end(): EndedDay {
    for (const cells of this.#sums.parts(partRows)) this.#add(cells)
    return { rows: this.#rows, sum: this.#sum, content: this.#file.end() }
  }

  #read(
    json: JsonText,
    source: TableSource | undefined,
    use: (cells: CellsByColumn, rows: number) => void
  ): ReadRows | undefined {
    const rows = rowsOfResponse(json, source, this.#layout.names)
    if (rows === undefined) return undefined
    for (let taken = 0; taken < rows.count; taken += partRows) use(rows.take(partRows), rows.count)
    const fields = Object.fromEntries(Object.entries(rows.response).filter(([, field]) => !Array.isArray(field)))
    return { rows: rows.count, fields }
  }

  #add(cells: CellsByColumn): void {
    const { counted, places } = this.#layout
    this.#file.add(places.map((place) => cells[place] ?? []))
    this.#rows += countRows(cells)
    for (const cell of cells[counted] ?? []) this.#sum += Number(cell ?? 0)
  }
}
