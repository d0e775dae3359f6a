import type { ReactNode } from "react"
import type { CellChange, Change, ShownChanges, TextChange } from "../../Domain/Calls/Change.ts"
import { counted, missingWords } from "../../Domain/Calls/MissingWords.ts"
import { cornerOf, lettersOf } from "./Corner.ts"
import { withEscapes } from "./HiddenCharacters.ts"
import { JsonView } from "./JsonView.tsx"

const shown = (cell: CellChange["before"][number][number] | undefined): string =>
  cell === undefined || cell === null ? "" : withEscapes(String(cell))

const Cell = ({ after, before }: { readonly before: string; readonly after: string }) =>
  before === after ? <td>{after}</td> : (
    <td className="changed">
      {before !== "" && <del>{before}</del>} {after !== "" && <ins>{after}</ins>}
    </td>
  )

const Cells = ({ after, before, range, size }: CellChange) => {
  const corner = cornerOf(range)
  const widthOf = (row: number) => Math.max(before[row]?.length ?? 0, after[row]?.length ?? 0)
  const rows = Array.from({ length: Math.max(before.length, after.length) }, (_, row) => row)
  const width = rows.reduce((widest, row) => Math.max(widest, widthOf(row)), 0)
  const columns = Array.from({ length: width }, (_, column) => column)
  return (
    <div className="changed-cells" role="region" aria-label={range} tabIndex={0}>
      <table>
        <caption>
          <code>{range}</code>{" "}
          {size && <Part>of {counted(size.cells, "cell")} with {characters(size.characters)}</Part>}
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

/** The id that Google gives to the first tab of each document. */
const firstTab = "t.0"

const Text = ({ context, index, inserted, removed, size, tab }: TextChange) => (
  <div className="changed-text">
    <p className="meta">
      {tab === "" || tab === firstTab ? "At" : `Tab ${tab}, at`} character {index.toLocaleString()} {size && (
        <Part>
          of {characters(size.removed)} that are removed and {size.inserted.toLocaleString()} that are inserted
        </Part>
      )}
    </p>
    <p>
      <span className="muted">{withEscapes(context?.before ?? "")}</span>
      {removed !== "" && <del>{withEscapes(removed)}</del>}
      {inserted !== "" && <ins>{withEscapes(inserted)}</ins>}
      <span className="muted">{withEscapes(context?.after ?? "")}</span>
    </p>
  </div>
)

const Part = ({ children }: { readonly children: ReactNode }) => <em className="meta">A part {children}.</em>

const characters = (count: number): string => counted(count, "character")

/** What a write changes: cells and texts before and after, or else the request that is sent. */
export const Changes = ({ changes, truncated, ...figures }: Partial<Omit<ShownChanges, "changes">> & {
  readonly changes: ReadonlyArray<Change>
}) => (
  <div className="stack">
    {changes.length === 0 && <p className="muted">Nothing changes.</p>}
    {truncated && figures.not_shown && (
      <p className="notice attention">
        <strong>Not everything is shown.</strong>
        <span>Missing are {missingWords({ not_shown: figures.not_shown })}.</span>
      </p>
    )}
    {changes.map((change, index) => {
      if ("range" in change) return <Cells key={index} {...change} />
      if ("tab" in change) return <Text key={index} {...change} />
      const { request, size } = change
      return (
        <div key={index}>
          <p>
            <code>{request.method} {request.url}</code> {size && <Part>of {characters(size.characters)}</Part>}
          </p>
          <JsonView name="request" value={request.body} />
        </div>
      )
    })}
  </div>
)
