const maxColumns = 20
const maxRows = 500

type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value)

const isRows = (value: unknown): value is ReadonlyArray<Row> =>
  Array.isArray(value) && value.length > 0 && value.every(isRow)

/** The rows of a response: the response itself, or the first of its fields that is a list of objects. */
export const rowsIn = (data: unknown): ReadonlyArray<Row> | undefined =>
  isRows(data) ? data : isRow(data) ? Object.values(data).find(isRows) : undefined

const isScalar = (value: unknown) => typeof value !== "object" || value === null

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return ""
  if (typeof value === "string") return value
  if (typeof value === "number") return value.toLocaleString(undefined, { maximumFractionDigits: 4 })
  return Array.isArray(value) && value.every(isScalar) ? value.map(textOf).join(", ") : JSON.stringify(value)
}

export const ResponseTable = ({ rows }: { readonly rows: ReadonlyArray<Row> }) => {
  const columns = [...new Set(rows.slice(0, maxRows).flatMap(Object.keys))].slice(0, maxColumns)
  const isNumber = (column: string) => rows.every((row) => typeof (row[column] ?? 0) === "number")
  return (
    <div className="result" role="region" aria-label="Rows" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className={isNumber(column) ? "number" : undefined}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, maxRows).map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column} className={isNumber(column) ? "number" : undefined}>{textOf(row[column])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > maxRows && (
        <p className="meta">{(rows.length - maxRows).toLocaleString()} more rows are in the JSON.</p>
      )}
    </div>
  )
}
