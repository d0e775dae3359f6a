import { useState } from "react"
import type { Cell, Table } from "../../Domain/Table/Table.ts"
import { counted } from "../Parts/Numbers.ts"

const maxColumns = 50
const maxRows = 500

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" })

const compare = (one: Cell, other: Cell): number =>
  typeof one === "string" || typeof other === "string"
    ? collator.compare(String(one), String(other))
    : Number(one) - Number(other)

interface Sorting {
  readonly column: number
  readonly descending: boolean
}

/** Cells without a value come last. */
const sorted = ({ rows }: Table, sorting: Sorting | undefined): Table["rows"] => {
  if (!sorting) return rows
  const { column, descending } = sorting
  return rows.toSorted((one, other) => {
    const [first = null, second = null] = [one[column], other[column]]
    if (first === null || second === null) return Number(first === null) - Number(second === null)
    return compare(first, second) * (descending ? -1 : 1)
  })
}

const textOf = (cell: Cell | undefined): string => {
  if (cell === undefined || cell === null) return ""
  return typeof cell === "number" ? cell.toLocaleString(undefined, { maximumFractionDigits: 4 }) : String(cell)
}

/** A table whose rows can be sorted by each of its columns. */
export const DataTable = ({ label, table }: { readonly label: string; readonly table: Table }) => {
  const [sorting, setSorting] = useState<Sorting>()
  const columns = table.columns.slice(0, maxColumns)
  const toggle = (column: number) =>
    setSorting(
      sorting?.column !== column
        ? { column, descending: table.columns[column]?.type === "number" }
        : sorting.descending === (table.columns[column]?.type === "number")
        ? { column, descending: !sorting.descending }
        : undefined
    )
  return (
    <div className="result" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, type }, index) => {
              const direction = sorting?.column !== index ? undefined : sorting.descending ? "descending" : "ascending"
              return (
                <th key={name} scope="col" aria-sort={direction} className={type === "number" ? "number" : undefined}>
                  <button
                    type="button"
                    className="quiet sort"
                    onClick={() =>
                      toggle(index)}
                  >
                    {name} <span aria-hidden="true">{direction && (direction === "descending" ? "↓" : "↑")}</span>
                  </button>
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {sorted(table, sorting).slice(0, maxRows).map((row, index) => (
            <tr key={index}>
              {columns.map(({ name, type }, column) => (
                <td key={name} className={type === "number" ? "number" : undefined}>{textOf(row[column])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {table.rows.length > maxRows && (
        <p className="meta">
          The CSV has {counted(table.rows.length - maxRows, "more row")}. Sorting includes them.
        </p>
      )}
    </div>
  )
}
