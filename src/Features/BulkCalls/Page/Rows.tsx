import { Effect } from "effect"
import { DataTable } from "../../../Dashboard/Data/DataTable.tsx"
import { SaveCsv } from "../../../Dashboard/Data/SaveCsv.tsx"
import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { counted } from "../../../Dashboard/Parts/Numbers.ts"
import { useServiceQuery } from "../../../Dashboard/Service/Queries.ts"
import { toCell } from "../../../Domain/Table/Table.ts"
import type { KeptResult } from "../../Results/Result.ts"

/** The most rows of a page. */
const limit = 10_000

/** Ids of clients and connections are for programs. */
const hidden = ["client_id", "connection_id"]

/** The first rows of a bulk call's table. */
export const Rows = ({ result: { id, rows } }: { readonly result: KeptResult }) => {
  const { data, error } = useServiceQuery(
    ["rows", id],
    ({ results }) =>
      Effect.map(results.get({ params: { id }, query: { limit } }), (page) => ({
        columns: page.columns,
        rows: page.rows.map((row) => row.map(toCell))
      }))
  )
  if (error) return <ErrorNotice error={error} isRead />
  if (!data) return <span className="placeholder" />
  const places = data.columns.flatMap(({ name }, index) => hidden.includes(name) ? [] : [index])
  const shown = {
    columns: places.flatMap((place) => data.columns[place] ?? []),
    rows: data.rows.map((row) => places.map((place) => row[place] ?? null))
  }
  return (
    <>
      <div className="row-of spread">
        <p className="meta">
          {data.rows.length < rows ? `The first ${counted(data.rows.length, "row")} of ${rows.toLocaleString()}.` : (
            counted(rows, "row")
          )}
        </p>
        <SaveCsv name={id} table={data} />
      </div>
      <DataTable label="Rows of all clients" table={shown} />
    </>
  )
}
