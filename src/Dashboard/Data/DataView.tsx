import { useMemo, useState } from "react"
import type { CallRequest } from "../../Api/Calls/CallApi.ts"
import { partText } from "../../Domain/Table/PartOf.ts"
import { AroundData } from "../Frame/ServedPages.ts"
import { JsonView } from "../Parts/JsonView.tsx"
import { counted } from "../Parts/Numbers.ts"
import { Tabs } from "../Parts/Tabs.tsx"
import { DataTable } from "./DataTable.tsx"
import { SaveCsv } from "./SaveCsv.tsx"
import { partIn, tableIn } from "./TableIn.ts"

const tabs = [{ id: "table", title: "Table" }, { id: "json", title: "JSON" }] as const

type Form = typeof tabs[number]["id"]

interface Shown {
  readonly data: unknown
  readonly name: string
  readonly request: unknown
  readonly json: unknown
  readonly form: Form
  readonly onChange: (form: Form) => void
}

const DataForms = ({ data, form, json, name, onChange, request }: Shown) => {
  const table = useMemo(() => tableIn(data, request), [data, request])
  if (!table) return <JsonView name="response" value={json} />
  return (
    <Tabs label="Response as" tabs={tabs} selected={form} onChange={onChange}>
      {form === "json" ? <JsonView name="response" value={json} /> : (
        <div className="stack">
          <div className="row-of spread">
            <span className="meta">{counted(table.rows.length, "row")}</span>
            <SaveCsv name={name} table={table} />
          </div>
          <DataTable key={table.columns.map((column) => column.name).join()} label="Rows" table={table} />
        </div>
      )}
    </Tabs>
  )
}

/** The data of a response, as a table where it is one, and as JSON. `json` is shown for the whole data. */
export const DataView = ({ data, isOwn, json = data, name, read, request }: {
  readonly data: unknown
  readonly json?: unknown
  readonly name: string
  readonly request: unknown
  readonly isOwn: boolean
  readonly read: CallRequest | undefined
}) => {
  const [form, setForm] = useState<Form>("table")
  const part = useMemo(() => partIn(data, request), [data, request])
  return (
    <div className="stack">
      <AroundData data={data} isOwn={isOwn} read={read}>
        {(shown) => (
          <>
            {part && <p className="notice">{partText(part)}</p>}
            <DataForms
              data={shown}
              form={form}
              json={shown === data ? json : shown}
              name={name}
              request={request}
              onChange={setForm}
            />
          </>
        )}
      </AroundData>
    </div>
  )
}
