import { Option, Schema } from "effect"
import { number } from "../../../Dashboard/Parts/Numbers.ts"
import { useServiceQuery } from "../../../Dashboard/Service/Queries.ts"
import type { KeptResult } from "../../Results/Result.ts"

const shown = 15

const decodeRows = Schema.decodeUnknownOption(
  Schema.Array(Schema.Tuple([Schema.NullOr(Schema.String), Schema.NullOr(Schema.Number)]))
)

const quoted = (name: string): string => `"${name.replaceAll("\"", "\"\"")}"`

/** The first figure of a bulk call's table, summed by client. */
export const ClientChart = ({ result: { columns, id } }: { readonly result: KeptResult }) => {
  const figure = columns.find(({ type }) => type === "number")?.name
  const sql = `SELECT client, sum(${quoted(figure ?? "")}) FROM result GROUP BY client ORDER BY 2 DESC LIMIT ${shown}`
  const { data } = useServiceQuery(
    ["figure by client", id],
    ({ results }) => results.query({ params: { id }, payload: { sql } }),
    { enabled: figure !== undefined }
  )
  const rows = Option.getOrElse(decodeRows(data?.rows), () => [])
  const most = rows.reduce((all, [, value]) => Math.max(all, value ?? 0), 0)
  if (rows.length < 2 || most === 0) return null
  return (
    <figure>
      <figcaption className="label">
        {figure} by client{rows.length === shown ? `, the first ${shown}` : ""}
      </figcaption>
      <ul className="quotas">
        {rows.map(([client, value]) => (
          <li key={client ?? ""}>
            <span>{client ?? "No client"}</span>
            <span className="quota-bar">
              <meter aria-label={`${figure} of ${client ?? "no client"}`} min={0} max={most} value={value ?? 0} />
              <span>{number.format(value ?? 0)}</span>
            </span>
          </li>
        ))}
      </ul>
    </figure>
  )
}
