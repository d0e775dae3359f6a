import { Clock, Duration, Effect, Option, Schema } from "effect"
import { ClientRepo } from "../../Auth/ClientRepo.ts"
import { CachedConnections } from "../../Connections/CachedConnections.ts"
import { parseNumbers } from "../../Domain/Json/ExactNumber.ts"
import { type Cell, ColumnTypes } from "../../Domain/Table/Table.ts"
import { KeptResults } from "../Results/Kept/KeptResults.ts"
import { BulkCallRepo, retention } from "./BulkCallRepo.ts"
import type { Claim, Run } from "./StoredBulkCall.ts"

export const maxRows = 1_000_000

/** SQLite's limit for a table. */
const maxColumns = 2000

const before = ["client", "client_id", "connection_id", "account", "resource"]

type Row = ReadonlyArray<Cell>

/** Makes one table of the rows of all runs. Memory holds those of one run. */
export const makeMakeTable = Effect.gen(function*() {
  const clients = yield* ClientRepo
  const connections = yield* CachedConnections
  const repo = yield* BulkCallRepo
  const results = yield* KeptResults

  const read = Effect.fnUntraced(function*(run: Run) {
    const { json, source } = yield* repo.table(run)
    yield* Effect.yieldNow
    return { source, ...tableIn(json) }
  })

  const whose = Effect.fnUntraced(function*({ connectionId, resource }: Run) {
    const connection = Option.getOrUndefined(yield* connections.find(connectionId))
    const clientId = connection?.client_id ?? null
    const client = clientId === null ? undefined : Option.getOrUndefined(yield* clients.find(clientId))
    const account = connection?.external_account ?? connection?.label ?? null
    return [client?.name ?? null, clientId, connectionId, account, resource]
  })

  /** Whether rows are missing. */
  return Effect.fnUntraced(function*(claim: Claim, provider: string) {
    const runs = yield* repo.succeeded(claim)
    const types = new ColumnTypes()
    const places = new Map<string, number>()
    const cellsOf = (names: ReadonlyArray<string>, row: Row): Row => {
      const cells: Array<Cell> = Array.from({ length: places.size }, () => null)
      for (const [index, name] of names.entries()) {
        const place = places.get(name)
        if (place !== undefined) cells[place] = row[index] ?? null
      }
      return cells
    }
    for (const run of runs) {
      const { columns, rows } = yield* read(run)
      for (const name of columns) {
        if (!places.has(name) && places.size < maxColumns - before.length) places.set(name, places.size)
      }
      const first = yield* whose(run)
      for (const row of rows) types.add([...first, ...cellsOf(columns, row)])
    }
    const now = yield* Clock.currentTimeMillis
    const growth = yield* results.grow({
      id: claim.resultId,
      memberId: claim.memberId,
      holder: claim.holder,
      provider,
      expiresAt: new Date(now + Duration.toMillis(retention))
    }, types.columns([...before, ...places.keys()]))
    let left = maxRows
    let hasAll = true
    for (const run of runs) {
      const { columns, rows, source } = yield* read(run)
      const first = yield* whose(run)
      const fitting = rows.slice(0, left).map((row) => [...first, ...cellsOf(columns, row)])
      hasAll &&= fitting.length === rows.length && (yield* growth.add(source, fitting))
      left -= fitting.length
      if (!hasAll) break
    }
    yield* growth.end
    return !hasAll
  })
})

const decodeNames = Schema.decodeUnknownSync(Schema.Struct({ columns: Schema.Array(Schema.String) }))

/** Parses what the service has stored itself. */
const tableIn = (json: string): { readonly columns: ReadonlyArray<string>; readonly rows: ReadonlyArray<Row> } => {
  const table: unknown = parseNumbers(json)
  const rows: unknown = typeof table === "object" && table !== null ? Reflect.get(table, "rows") : []
  return { columns: decodeNames(table).columns, rows: Array.isArray(rows) ? rows : [] }
}
