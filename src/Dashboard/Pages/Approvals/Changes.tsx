import type { CellChange, Change, TextChange } from "../../../Domain/Calls/Change.ts"
import { JsonView } from "../../Parts/JsonView.tsx"

const shown = (cell: CellChange["before"][number][number] | undefined): string =>
  cell === undefined || cell === null ? "" : String(cell)

const Cell = ({ after, before }: { readonly before: string; readonly after: string }) =>
  before === after ? <td>{after}</td> : (
    <td>
      {before !== "" && <del>{before}</del>} {after !== "" && <ins>{after}</ins>}
    </td>
  )

const Cells = ({ after, before, range }: CellChange) => (
  <div className="table-frame">
    <table>
      <caption>{range}</caption>
      <tbody>
        {Array.from({ length: Math.max(before.length, after.length) }, (_, row) => (
          <tr key={row}>
            {Array.from(
              { length: Math.max(before[row]?.length ?? 0, after[row]?.length ?? 0) },
              (_, column) => (
                <Cell key={column} before={shown(before[row]?.[column])} after={shown(after[row]?.[column])} />
              )
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const Text = ({ index, inserted, removed, tab }: TextChange) => (
  <p>
    <span className="muted">{tab === "" ? "" : `Tab ${tab}, `}at {index}:</span>{" "}
    {removed !== "" && <del>{removed}</del>} {inserted !== "" && <ins>{inserted}</ins>}
  </p>
)

export const Changes = ({ changes }: { readonly changes: ReadonlyArray<Change> }) => (
  <>
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
  </>
)
