import { Clock, Duration, Effect, Schema } from "effect"
import { parseNumbers } from "../../Domain/Json/ExactNumber.ts"
import { type Cell, type ColumnType, uniqueNames } from "../../Domain/Table/Table.ts"
import { KeptResults } from "../Results/Kept/KeptResults.ts"
import { type Chunk, toKept } from "../Results/Kept/KeptTable.ts"
import { ResultColumn } from "../Results/Result.ts"
import type { ShapedTable } from "../Results/Shaping/Shape.ts"
import { BulkCallBounds } from "./BulkCallBounds.ts"
import { BulkCallRepo, retention } from "./BulkCallRepo.ts"
import type { Claim } from "./StoredBulkCall.ts"

/** The first columns, which say whose each row is. */
export const ownerColumns = ["client", "client_id", "connection_id", "account", "resource"]

/** SQLite's limit for a table. */
const maxColumns = 2000

/** The bytes of the table that are in memory at a time, or the rows of one run. */
const batchBytes = 1_000_000

const Head = Schema.Struct({
  columns: Schema.Array(ResultColumn),
  empty: Schema.Array(Schema.String),
  rows: Schema.Array(Schema.Int)
})

/** The rows of a run, as they are stored: a line about them, and a line of JSON for each chunk. */
export const textOf = ({ empty, kept: { chunks, columns } }: ShapedTable): string =>
  [JSON.stringify({ columns, empty, rows: chunks.map(({ rows }) => rows) }), ...chunks.map(({ json }) => json)].join(
    "\n"
  )

const decodeHead = Schema.decodeUnknownSync(Schema.fromJsonString(Head))

const tableIn = (text: string) => {
  const [head = "", ...chunks] = text.split("\n")
  const { columns, empty, rows } = decodeHead(head)
  return { columns, empty, chunks: chunks.map((json, index) => ({ json, rows: rows[index] ?? 0 })) }
}
type RunTable = ReturnType<typeof tableIn>

/** The columns of all runs, and their types. */
class Columns {
  readonly #types = new Map<string, ColumnType | undefined>(ownerColumns.map((name) => [name, undefined]))

  add({ columns, empty }: RunTable): void {
    for (const { name, type } of columns) {
      const known = this.#types.get(name)
      const found = empty.includes(name) ? known : known === undefined || known === type ? type : "text"
      if (this.#types.has(name) || this.#types.size < maxColumns) this.#types.set(name, found)
    }
  }

  get all() {
    const names = uniqueNames([...this.#types.keys()])
    return [...this.#types.values()].map((type = "text", index) => ({ name: names[index] ?? "", type }))
  }

  /** The chunks of a run, with cells for all columns. */
  placed({ chunks, columns }: RunTable): ReadonlyArray<Omit<Chunk, "firstRow">> {
    const names = [...this.#types.keys()]
    if (columns.length === names.length && columns.every(({ name }, index) => name === names[index])) return chunks
    const places = names.map((name) => columns.findIndex((column) => column.name === name))
    const rows = chunks.flatMap(({ json }) => rowsIn(json)).map((row) => places.map((place) => row[place] ?? null))
    return toKept({ columns: this.all, rows }).chunks
  }
}

/** Parses what the service has stored itself. */
const rowsIn = (json: string): ReadonlyArray<ReadonlyArray<Cell>> => {
  const rows: unknown = parseNumbers(json)
  return Array.isArray(rows) ? rows : []
}

/** Makes one table of the rows of all runs. */
export const makeMakeTable = Effect.gen(function*() {
  const bounds = yield* BulkCallBounds
  const repo = yield* BulkCallRepo
  const results = yield* KeptResults

  /** Returns whether rows are missing. */
  return Effect.fnUntraced(function*(claim: Claim, provider: string) {
    const batches = batchesOf(yield* repo.succeeded(claim))
    const columns = new Columns()
    for (const ids of batches) {
      for (const { text } of yield* repo.tables(ids)) columns.add(tableIn(text))
      yield* Effect.yieldNow
    }
    const now = yield* Clock.currentTimeMillis
    const growth = yield* results.grow({
      id: claim.resultId,
      memberId: claim.memberId,
      holder: claim.holder,
      provider,
      expiresAt: new Date(now + Duration.toMillis(retention))
    }, columns.all)
    let left = bounds.rows
    let isWhole = true
    for (const ids of batches) {
      const tables = yield* repo.tables(ids)
      const chunks = tables.flatMap(({ source, text }) =>
        columns.placed(tableIn(text)).map((chunk) => ({ ...chunk, source }))
      )
      const firstOver = chunks.findIndex(({ rows }) => (left -= rows) < 0)
      const fitting = firstOver === -1 ? chunks : chunks.slice(0, firstOver)
      isWhole = (yield* growth.add(fitting)) && fitting.length === chunks.length
      if (!isWhole) break
    }
    yield* growth.end(isWhole ? null : { truncated: true })
    return !isWhole
  })
})

const batchesOf = (runs: ReadonlyArray<{ readonly id: string; readonly bytes: number }>) => {
  const batches: Array<Array<string>> = []
  let bytes = Infinity
  for (const run of runs) {
    if (bytes + run.bytes > batchBytes) {
      batches.push([])
      bytes = 0
    }
    batches.at(-1)?.push(run.id)
    bytes += run.bytes
  }
  return batches
}
