import { type ReactNode, useState } from "react"
import { isUnavailable, type ServiceError } from "../Service/Service.ts"
import { ErrorNotice } from "./ErrorNotice.tsx"
import { sortedBy, SortingHead } from "./Sorting.tsx"
import { useUrlState } from "./UrlState.ts"

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  readonly kind?: "number" | "actions"
  /** Left out on a narrow screen. */
  readonly minor?: boolean
  /** Left out if the table is narrower than 1,200 pixels. */
  readonly spare?: boolean
  /** Rows can be sorted by this value. `null` comes last. */
  readonly sortBy?: (row: Row) => string | number | Date | null | undefined
}

interface Props<Row> {
  readonly label: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row> | undefined
  readonly rowKey: (row: Row) => string
  readonly error?: ServiceError | null
  readonly reloading?: boolean
  readonly empty: ReactNode
  readonly expected?: number
}

const pageSize = 100

const cellClass = <Row extends object>({ kind, minor = false, spare = false }: Column<Row>) =>
  [kind, minor && "minor", spare && "minor spare"].filter(Boolean).join(" ")

/** In the URL: `sort=Name`, or `sort=-Name` for descending. */
const useSorting = () => {
  const [sort, setSort] = useUrlState("sort")
  const descending = sort.startsWith("-")
  const title = descending ? sort.slice(1) : sort
  const toggle = (next: string) => setSort(next !== title ? next : descending ? "" : `-${next}`)
  return { title, descending, toggle }
}

export const Table = <Row extends object>(
  { columns, empty, error, expected = 6, label, reloading = false, rowKey, rows }: Props<Row>
) => {
  const [shown, setShown] = useState(pageSize)
  const sorting = useSorting()
  if (rows === undefined && error) return <ErrorNotice error={error} isRead />
  if (rows?.length === 0) return <div className="table">{empty}</div>
  const sortBy = columns.find(({ title }) => title === sorting.title)?.sortBy
  const sorted = rows && sortBy ? sortedBy(rows, sortBy, sorting.descending) : rows
  const listed = sorted?.slice(0, shown) ?? Array.from({ length: expected }, () => undefined)
  return (
    <div className="stack">
      {error && !isUnavailable(error) && <ErrorNotice error={error} isRead />}
      <div className={reloading && rows ? "table reloading" : "table"} aria-busy={rows === undefined}>
        <table aria-label={label}>
          <thead>
            <tr>
              {columns.map((column) => <HeadCell key={column.title} column={column} sorting={sorting} />)}
            </tr>
          </thead>
          <tbody>
            {listed.map((row, index) => (
              <tr key={row ? rowKey(row) : index}>
                {columns.map((column) => (
                  <td key={column.title} className={cellClass(column)} data-title={row && column.title}>
                    {row ? column.cell(row) : <span className="placeholder" />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows && rows.length > shown && (
        <button type="button" onClick={() => setShown(shown + pageSize)}>
          Show {Math.min(pageSize, rows.length - shown)} more of {rows.length.toLocaleString()}
        </button>
      )}
    </div>
  )
}

const HeadCell = <Row extends object>({ column, sorting }: {
  readonly column: Column<Row>
  readonly sorting: ReturnType<typeof useSorting>
}) => {
  const { kind, sortBy, title } = column
  const className = cellClass(column)
  if (!sortBy) {
    return (
      <th scope="col" className={className}>
        {kind === "actions" ? <span className="visually-hidden">{title}</span> : title}
      </th>
    )
  }
  const direction = title !== sorting.title ? undefined : sorting.descending ? "descending" : "ascending"
  return (
    <SortingHead
      className={className}
      direction={direction}
      title={title}
      onToggle={() => sorting.toggle(title)}
    />
  )
}
