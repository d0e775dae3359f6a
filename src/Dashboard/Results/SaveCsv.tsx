import type { Table } from "../../Domain/Table/Table.ts"
import { csvOf } from "../Usage/Csv.ts"
import { download } from "../Usage/Download.ts"

export const SaveCsv = ({ name, table }: { readonly name: string; readonly table: Table }) => {
  const save = () =>
    download(
      `${name}.csv`,
      csvOf([
        table.columns.map(({ name }) => name),
        ...table.rows.map((row) => row.map((cell) => typeof cell === "number" ? cell : String(cell ?? "")))
      ])
    )
  return <button type="button" className="small" onClick={save}>Download CSV</button>
}
