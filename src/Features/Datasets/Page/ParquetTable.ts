import { Effect } from "effect"
import { ServiceError } from "../../../Dashboard/Service/Service.ts"
import { type Table, toCell, typed } from "../../../Domain/Table/Table.ts"

/** The rows of a Parquet file. Whole numbers of 64 bits become numbers, and dates their day. */
export const parquetTable = (chunks: ReadonlyArray<Uint8Array>): Effect.Effect<Table, ServiceError> =>
  Effect.tryPromise({
    try: async () => {
      const { parquetReadObjects } = await import("hyparquet")
      const rows = await parquetReadObjects({
        file: await new Blob(chunks.map((chunk) => new Uint8Array(chunk))).arrayBuffer()
      })
      const names = Object.keys(rows[0] ?? {})
      return typed(names, rows.map((row) => names.map((name) => toCell(shownValue(row[name])))))
    },
    catch: () => new ServiceError({ code: "unreadable", message: "The file of this day cannot be read." })
  })

const shownValue = (value: unknown): unknown => {
  if (typeof value === "bigint") return Number(value)
  return value instanceof Date ? value.toISOString().slice(0, 10) : value
}
