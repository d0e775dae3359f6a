import { type ReactNode, useState } from "react"
import { isNoAnswer, type ServiceError } from "../Service/Service.ts"
import { ErrorNotice } from "./ErrorNotice.tsx"

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  readonly kind?: "number" | "actions"
  /** Left out on a narrow screen. */
  readonly minor?: boolean
}

interface Props<Row> {
  /** What the rows are, for screen readers. */
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row> | undefined
  readonly rowKey: (row: Row) => string
  readonly error?: ServiceError | null
  readonly reloading?: boolean
  readonly empty: ReactNode
}

const pageSize = 100
const placeholders = [0, 1, 2, 3, 4, 5]

const cellClass = <Row extends object>({ kind, minor = false }: Column<Row>) =>
  [kind, minor && "minor"].filter(Boolean).join(" ")

/** Shows 100 rows, and 100 more on request. Rows stay while they are loaded again. */
export const Table = <Row extends object>(
  { columns, empty, error, label, reloading = false, rowKey, rows }: Props<Row>
) => {
  const [shown, setShown] = useState(pageSize)
  if (rows === undefined && error) return <ErrorNotice error={error} />
  if (rows?.length === 0) return <div className="table">{empty}</div>
  return (
    <div className="stack">
      {error && !isNoAnswer(error) && <ErrorNotice error={error} />}
      <div className={reloading && rows ? "table reloading" : "table"} aria-busy={rows === undefined}>
        <table aria-label={label}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.title} scope="col" className={cellClass(column)}>
                  {column.kind === "actions" ? <span className="visually-hidden">{column.title}</span> : column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows
              ? rows.slice(0, shown).map((row) => (
                <tr key={rowKey(row)}>
                  {columns.map((column) => <td key={column.title} className={cellClass(column)}>{column.cell(row)}
                  </td>)}
                </tr>
              ))
              : placeholders.map((index) => (
                <tr key={index}>
                  {columns.map((column) => (
                    <td key={column.title} className={cellClass(column)}>
                      <span className="placeholder" />
                    </td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </div>
      {rows && rows.length > shown && (
        <button type="button" onClick={() => setShown(shown + pageSize)}>
          Show {Math.min(pageSize, rows.length - shown)} more of {rows.length}
        </button>
      )}
    </div>
  )
}
