import { useDeferredValue, useMemo, useState } from "react"
import { partText } from "../../Domain/Table/PartOf.ts"
import { useSelected } from "../../Features/Results/Page/Expression.ts"
import { TextField } from "../Parts/Field.tsx"
import { JsonView } from "../Parts/JsonView.tsx"
import { Tabs } from "../Parts/Tabs.tsx"
import { DataTable } from "./DataTable.tsx"
import { SaveCsv } from "./SaveCsv.tsx"
import { partIn, tableIn } from "./TableIn.ts"

const tabs = [{ id: "table", title: "Table" }, { id: "json", title: "JSON" }] as const

/** The data of a response: a part of it, as a table where it is one, and as JSON. `json` is shown without a selection. */
export const DataView = ({ data, json = data, name, request }: {
  readonly data: unknown
  readonly json?: unknown
  readonly name: string
  readonly request: unknown
}) => {
  const [form, setForm] = useState<"table" | "json">("table")
  const [expression, setExpression] = useState("")
  const selected = useSelected(data, useDeferredValue(expression))
  const table = useMemo(() => tableIn(selected.data, request), [selected.data, request])
  const part = useMemo(() => partIn(data, request), [data, request])
  const shownJson = expression.trim() === "" || selected.error !== undefined ? json : selected.data
  return (
    <div className="stack">
      <TextField
        label="Select a part (JMESPath)"
        error={selected.error}
        placeholder="rows[?clicks > `100`]"
        autoComplete="off"
        spellCheck={false}
        className="mono"
        value={expression}
        onChange={setExpression}
      />
      {part && <p className="notice">{partText(part)}</p>}
      {table
        ? (
          <Tabs label="Response as" tabs={tabs} selected={form} onChange={setForm}>
            {form === "json" ? <JsonView name="response" value={shownJson} /> : (
              <div className="stack">
                <div className="row-of spread">
                  <span className="meta">{table.rows.length.toLocaleString()} rows</span>
                  <SaveCsv name={name} table={table} />
                </div>
                <DataTable key={expression} label="Rows" table={table} />
              </div>
            )}
          </Tabs>
        )
        : <JsonView name="response" value={shownJson} />}
    </div>
  )
}
