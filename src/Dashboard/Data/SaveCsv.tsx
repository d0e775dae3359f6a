import type { Table } from "../../Domain/Table/Table.ts"
import { tableText } from "../../Domain/Table/TableText.ts"
import { download } from "../Parts/Download.ts"

export const SaveCsv = ({ name, table }: { readonly name: string; readonly table: Table }) => (
  <button
    type="button"
    className="small"
    onClick={() => download(`${name}.csv`, tableText(table, "csv"))}
  >
    Download CSV
  </button>
)
