import type { Table } from "../../Domain/Table/Table.ts"
import { tableText } from "../../Domain/Table/TableText.ts"

const download = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

export const SaveCsv = ({ className = "small", disabled = false, name, table }: {
  readonly name: string
  readonly table: Table
  readonly className?: string
  readonly disabled?: boolean
}) => (
  <button
    type="button"
    className={className}
    disabled={disabled}
    onClick={() => download(`${name}.csv`, tableText(table, "csv"))}
  >
    Download CSV
  </button>
)
