/** Where a response has its rows. A declaration of an operation, as data. */
export type TableSource = ObjectRows | ReportRows | SheetRows

interface RowsIn {
  /** Fields and indexes that lead to the list. `*` stands for each index: several lists are no table together. */
  readonly at: ReadonlyArray<string>
}

/** A list of objects. */
export interface ObjectRows extends RowsIn {
  readonly kind: "objects"
  /** The names of the values of the field `keys`, which become columns. */
  readonly keys?: ReadonlyArray<string>
  /** Further columns, also when the list is empty. */
  readonly columns?: ReadonlyArray<string>
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
