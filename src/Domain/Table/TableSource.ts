/** Where a response has its rows. A declaration of an operation, as data. */
export type TableSource = ObjectRows | ReportRows | SheetRows

interface RowsIn {
  /** Fields and indexes that lead to the list. `*` stands for each index: several lists are no table together. */
  readonly at: ReadonlyArray<string>
  /** How the provider pages. Absent where the answer says itself that it is a part, as those of tools do. */
  readonly paging?: Paging
}

/** The fields of an answer, and the values of its call, that say whether there are more rows. */
export interface Paging {
  /** How many rows the call skips. Absent where a call cannot. */
  readonly offset?: number
  /** The most rows that the call gets. An answer with as many may be a part. */
  readonly limit?: number
  /** The field with the number of all rows. */
  readonly total?: string
  /** The field with the token of the next page. */
  readonly token?: string
}

/** A list of objects. */
export interface ObjectRows extends RowsIn {
  readonly kind: "objects"
  /** The names of the values of the field `keys`, which become columns. */
  readonly keys?: ReadonlyArray<string>
  /** Further columns, also when the list is empty. */
  readonly columns?: ReadonlyArray<string>
  /** The field that names the columns behind those, in their order. An object has names that are numbers first. */
  readonly columnsIn?: string
}

/** A report of Google Analytics: its headers have the names of the values of each row. */
export interface ReportRows extends RowsIn {
  readonly kind: "report"
}

/** The cells of a sheet, whose first row has the names. Blank cells are `null`. */
export interface SheetRows extends RowsIn {
  readonly kind: "sheet"
  /** Whether each list is a column instead of a row. */
  readonly byColumn?: boolean
}

export const objectsIn = (...at: ReadonlyArray<string>): ObjectRows => ({ kind: "objects", at })
