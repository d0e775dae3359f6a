import { counted } from "../../../Dashboard/Parts/Numbers.ts"
import { SelectField } from "../../../Dashboard/Parts/Select.tsx"
import { useServiceQuery } from "../../../Dashboard/Service/Queries.ts"
import type { KeptResult, ResultSummary } from "../Result.ts"

const maxTables = 5

export type NamedTable = Pick<ResultSummary, "id" | "rows"> & {
  readonly name: string
  readonly columns?: KeptResult["columns"] | undefined
}

const Columns = ({ isAlone, onPick, table }: {
  readonly table: NamedTable
  readonly isAlone: boolean
  readonly onPick: (text: string) => void
}) => (
  <p className="row-of">
    <code>{table.name}</code>
    <span className="meta">{counted(table.rows, "row")}</span>
    {table.columns?.map(({ name, type }) => {
      const quoted = /^[a-z_]\w*$/i.test(name) ? name : `"${name.replaceAll("\"", "\"\"")}"`
      return (
        <button
          key={name}
          type="button"
          className="small mono"
          title={type}
          onClick={() => onPick(isAlone ? quoted : `${table.name}.${quoted}`)}
        >
          {name}
        </button>
      )
    })}
  </p>
)

/** The tables of a statement. A click on a column puts it into the statement. */
export const Tables = ({ onAdd, onPick, tables }: {
  readonly tables: ReadonlyArray<NamedTable>
  readonly onAdd: (table: NamedTable) => void
  readonly onPick: (text: string) => void
}) => {
  const kept = useServiceQuery(["results"], ({ results }) => results.list({ query: {} }))
  const others = kept.data?.results.filter(({ id }) => tables.every((table) => table.id !== id)) ?? []
  const options = others.map(({ columns, id, rows }) => ({
    value: id,
    title: `${counted(rows, "row")}: ${columns?.slice(0, 6).map(({ name }) => name).join(", ") ?? id}`
  }))
  const add = (id: string) => {
    const found = others.find((each) => each.id === id)
    if (found) onAdd({ ...found, name: `t${tables.length + 1}` })
  }
  return (
    <div className="stack">
      {tables.map((table) => <Columns key={table.name} table={table} isAlone={tables.length === 1} onPick={onPick} />)}
      {options.length > 0 && tables.length < maxTables && (
        <SelectField label="Join another kept table" emptyTitle="None" options={options} value="" onChange={add} />
      )}
    </div>
  )
}
