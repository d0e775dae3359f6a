import { type KeyboardEvent, useRef, useState } from "react"
import { DataTable } from "../../../Dashboard/Data/DataTable.tsx"
import { SaveCsv } from "../../../Dashboard/Data/SaveCsv.tsx"
import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { Field } from "../../../Dashboard/Parts/Field.tsx"
import { fieldErrors } from "../../../Dashboard/Parts/FieldErrors.ts"
import { Id } from "../../../Dashboard/Parts/Id.tsx"
import { counted } from "../../../Dashboard/Parts/Numbers.ts"
import { Time } from "../../../Dashboard/Parts/Time.tsx"
import { useServiceMutation } from "../../../Dashboard/Service/Queries.ts"
import type { TablePart } from "../../../Domain/Calls/TablePart.ts"
import { partText } from "../../../Domain/Table/PartOf.ts"
import { type Table, toCell } from "../../../Domain/Table/Table.ts"
import type { ResultQuery } from "../Contract.ts"
import type { KeptResult } from "../Result.ts"
import { type NamedTable, Tables } from "./Tables.tsx"

/** Asks a kept result with SQL. */
export const SqlPanel = (
  { part, result }: { readonly part: TablePart | undefined; readonly result: KeptResult }
) => {
  const [sql, setSql] = useState("SELECT * FROM result LIMIT 100")
  const [others, setOthers] = useState<ReadonlyArray<NamedTable>>([])
  const text = useRef<HTMLTextAreaElement>(null)
  const ask = useServiceMutation(
    ({ results }, payload: ResultQuery) => results.query({ params: { id: result.id }, payload }),
    []
  )
  const errors = fieldErrors(ask.error, ["sql"])
  const run = () =>
    ask.mutate({
      sql,
      ...others.length > 0 && { results: Object.fromEntries(others.map(({ id, name }) => [name, id])) }
    })
  const pick = (column: string) => {
    const field = text.current
    if (!field) return
    field.setRangeText(column, field.selectionStart, field.selectionEnd, "end")
    setSql(field.value)
    field.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    run()
  }
  const table: Table | undefined = ask.data && {
    columns: ask.data.columns,
    rows: ask.data.rows.map((row) => row.map(toCell))
  }
  return (
    <section className="stack" aria-label="Ask with SQL">
      <p className="meta">
        {counted(result.rows, "row")}, kept. This ends <Time at={result.expires_at} />. <Id id={result.id} />
      </p>
      <Tables
        tables={[{ ...result, name: "result" }, ...others]}
        onAdd={(table) => setOthers([...others, table])}
        onPick={pick}
      />
      {part && <p className="notice">{partText(part)}</p>}
      <Field label="SQL" help="One SELECT, in SQLite's dialect. Ctrl Enter asks." error={errors.of("sql")}>
        {(attributes) => (
          <textarea
            {...attributes}
            ref={text}
            className="mono"
            rows={4}
            spellCheck={false}
            value={sql}
            onChange={(event) => setSql(event.target.value)}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      {errors.unplaced && <ErrorNotice error={errors.unplaced} />}
      <div className="row-of spread">
        <button type="button" className="primary" disabled={ask.isPending || sql.trim() === ""} onClick={run}>
          Ask
        </button>
        {table && <SaveCsv name="query" table={table} />}
      </div>
      {table && <DataTable key={ask.submittedAt} label="Answer" table={table} />}
      {ask.data?.truncated && <p className="meta">There are more than 10,000 rows. Ask for fewer.</p>}
    </section>
  )
}
