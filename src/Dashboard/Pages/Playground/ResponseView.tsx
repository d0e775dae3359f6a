import { useState } from "react"
import { Link } from "wouter"
import type { CallResponse } from "../../../Api/Calls/CallApi.ts"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { Id } from "../../Parts/Id.tsx"
import { Json } from "../../Parts/Json.tsx"
import { JsonView } from "../../Parts/JsonView.tsx"
import { Tabs } from "../../Parts/Tabs.tsx"
import type { ServiceError } from "../../Service/Service.ts"
import { ResponseTable, rowsIn } from "./ResponseTable.tsx"

const tabs = [{ id: "table", title: "Table" }, { id: "json", title: "JSON" }] as const

const number = new Intl.NumberFormat()

export const ResponseView = ({ error, response }: {
  readonly response: CallResponse | undefined
  readonly error: ServiceError | null
}) => {
  const [form, setForm] = useState<"table" | "json">("table")
  if (error) {
    return (
      <div className="stack">
        <ErrorNotice error={error} />
        {error.details !== undefined && <Json value={error.details} />}
      </div>
    )
  }
  if (!response) return <p className="muted">The response appears here.</p>
  const rows = rowsIn(response.data)
  const { cached, call_id, cost_usd, data, latency_ms } = response
  return (
    <div className="stack">
      <p className="row-of meta">
        <span>{number.format(Math.round(latency_ms))} ms</span>
        <span>{number.format(JSON.stringify(data).length)} characters</span>
        <span>{cached ? "from the cache" : "from the provider"}</span>
        <span>{cost_usd} USD</span>
        <Id id={call_id} />
        <Link href={`/logs?call=${call_id}`}>In the logs</Link>
      </p>
      {rows
        ? (
          <Tabs label="Response as" tabs={tabs} selected={form} onChange={setForm}>
            {form === "table" ? <ResponseTable rows={rows} /> : <JsonView name="response" value={data} />}
          </Tabs>
        )
        : <JsonView name="response" value={data} />}
    </div>
  )
}
