import type { CellChange, Change, TextChange } from "../../Domain/Calls/Change.ts"
import { maxOf } from "../../Domain/Lists.ts"
import { cornerOf, lettersOf } from "./Corner.ts"
import { JsonView } from "./JsonView.tsx"

const shown = (cell: CellChange["before"][number][number] | undefined): string =>
  cell === undefined || cell === null ? "" : String(cell)

const Cell = ({ after, before }: { readonly before: string; readonly after: string }) =>
  before === after ? <td>{after}</td> : (
    <td className="changed">
      {before !== "" && <del>{before}</del>} {after !== "" && <ins>{after}</ins>}
    </td>
  )

const Cells = ({ after, before, range }: CellChange) => {
  const corner = cornerOf(range)
  const widthOf = (row: number) => Math.max(before[row]?.length ?? 0, after[row]?.length ?? 0)
  const rows = Array.from({ length: Math.max(before.length, after.length) }, (_, row) => row)
  const columns = Array.from({ length: maxOf(rows.map(widthOf), 0) }, (_, column) => column)
  return (
    <div className="changed-cells" role="region" aria-label={range} tabIndex={0}>
      <table>
        <caption>
          <code>{range}</code>
        </caption>
        {corner && (
          <thead>
            <tr>
              <td />
              {columns.map((column) => <th key={column} scope="col">{lettersOf(corner.column + column)}</th>)}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              {corner && <th scope="row">{corner.row + row}</th>}
              {columns.slice(0, widthOf(row)).map((column) => (
                <Cell key={column} before={shown(before[row]?.[column])} after={shown(after[row]?.[column])} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Text = ({ index, inserted, removed, tab }: TextChange) => (
  <div className="changed-text">
    <p className="meta">{tab === "" ? "At" : `Tab ${tab}, at`} character {index.toLocaleString()}</p>
    <p>
      {removed !== "" && <del>{removed}</del>} {inserted !== "" && <ins>{inserted}</ins>}
    </p>
  </div>
)

/** What a write changes: cells and texts before and after, or else the request that is sent. */
export const Changes = ({ changes }: { readonly changes: ReadonlyArray<Change> }) => (
  <div className="stack">
    {changes.length === 0 && <p className="muted">Nothing changes.</p>}
    {changes.map((change, index) => {
      if ("range" in change) return <Cells key={index} {...change} />
      if ("tab" in change) return <Text key={index} {...change} />
      return (
        <div key={index}>
          <p>
            <code>{change.request.method} {change.request.url}</code>
          </p>
          <JsonView name="request" value={change.request.body} />
        </div>
      )
    })}
  </div>
)
