import { useState } from "react"
import type { Cell, Table } from "../../Domain/Table/Table.ts"
import { counted } from "../Parts/Numbers.ts"
import { sortedBy, SortingHead } from "../Parts/Sorting.tsx"

const maxColumns = 50
const maxRows = 500

interface Sorting {
  readonly column: number
  readonly descending: boolean
}

const textOf = (cell: Cell | undefined): string => {
  if (cell === undefined || cell === null) return ""
  return typeof cell === "number" ? cell.toLocaleString(undefined, { maximumFractionDigits: 4 }) : String(cell)
}

/** A table whose rows can be sorted by each of its columns. */
export const DataTable = ({ label, table }: { readonly label: string; readonly table: Table }) => {
  const [sorting, setSorting] = useState<Sorting>()
  const columns = table.columns.slice(0, maxColumns)
  const rows = sorting ? sortedBy(table.rows, (row) => row[sorting.column], sorting.descending) : table.rows
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
                <SortingHead
                  key={name}
                  className={type === "number" ? "number" : undefined}
                  direction={direction}
                  title={name}
                  onToggle={() => toggle(index)}
                />
              )
            })}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, maxRows).map((row, index) => (
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
