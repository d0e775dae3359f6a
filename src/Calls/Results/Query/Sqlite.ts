import sqlite3InitModule from "@sqlite.org/sqlite-wasm"
import { ExactNumber } from "../../../Domain/Json/ExactNumber.ts"
import { type Cell, type Table, typed } from "../../../Domain/Table/Table.ts"

export interface NamedTable {
  readonly name: string
  readonly columns: ReadonlyArray<string>
  /** JSON lists of rows. */
  readonly chunks: ReadonlyArray<string>
}

export interface QueryAnswer extends Table {
  readonly truncated: boolean
}

export interface QueryFailure {
  /** SQLite's words. */
  readonly message: string
}

const silent = { error: () => undefined, warn: () => undefined, log: () => undefined, debug: () => undefined }

/** A new instance for each query, because an instance keeps the memory that a statement took. */
const loadSqlite = () => {
  // Statements hold data of customers, so the library must not print them. It deletes the setting when it has read it.
  Object.assign(globalThis, { sqlite3ApiConfig: silent })
  return sqlite3InitModule()
}

/** A few functions and tables say how the library was built, or show its pages. */
const isInternal = (name: string | 0 | null): boolean =>
  /^(?:sqlite_(?!master$|schema$)|pragma_|dbstat$)/i.test(name || "")

const maxRows = 10_000

/** Of the answer, in characters. */
const maxLength = 64_000_000

/** Of the tables and of what the statement needs, in bytes. */
const maxMemory = 256 * 1024 * 1024

/** Of one value, in bytes. */
const maxValue = 16 * 1024 * 1024

const stepsBetweenChecks = 10_000

export const query = async (
  tables: ReadonlyArray<NamedTable>,
  { onLoaded, sql, withinMillis }: {
    readonly sql: string
    /** Of the statement, which is then interrupted. A single step of it can take longer. */
    readonly withinMillis: number
    readonly onLoaded: () => void
  }
): Promise<QueryAnswer | QueryFailure | "interrupted"> => {
  const { capi, oo1, SQLite3Error } = await loadSqlite()
  const db = new oo1.DB(":memory:")
  try {
    db.exec(`PRAGMA hard_heap_limit = ${maxMemory}`)
    for (const { chunks, columns, name } of tables) {
      db.exec(`CREATE TABLE ${identifier(name)} (${columns.map(identifier).join()})`)
      const cells = columns.map((_, index) => `value ->> ${index}`).join()
      const insert = `INSERT INTO ${identifier(name)} SELECT ${cells} FROM json_each(?)`
      for (const chunk of chunks) db.exec({ sql: insert, bind: [chunk] })
    }
    capi.sqlite3_limit(db, capi.SQLITE_LIMIT_LENGTH, maxValue)
    capi.sqlite3_set_authorizer(
      db,
      (_, action, first, second) => {
        switch (action) {
          case capi.SQLITE_SELECT:
          case capi.SQLITE_RECURSIVE:
            return capi.SQLITE_OK
          case capi.SQLITE_READ:
            return isInternal(first) ? capi.SQLITE_DENY : capi.SQLITE_OK
          case capi.SQLITE_FUNCTION:
            return isInternal(second) ? capi.SQLITE_DENY : capi.SQLITE_OK
          default:
            return capi.SQLITE_DENY
        }
      },
      0
    )
    onLoaded()
    const end = performance.now() + withinMillis
    capi.sqlite3_progress_handler(db, stepsBetweenChecks, () => performance.now() > end ? 1 : 0, 0)
    const statement = db.prepare(sql)
    if (capi.sqlite3_stmt_isexplain(statement) !== 0) return { message: "Expected a SELECT" }
    if (hasStatement(db, sql.slice(capi.sqlite3_sql(statement)?.length ?? 0))) {
      return { message: "Expected one statement" }
    }
    const rows: Array<ReadonlyArray<Cell>> = []
    let length = 0
    while (statement.step()) {
      if (rows.length === maxRows) return { ...typed(statement.getColumnNames([]), rows), truncated: true }
      const row = statement.get([]).map(toCell)
      for (const cell of row) length += typeof cell === "string" ? cell.length : 8
      if (length > maxLength) return { message: `The rows have more than ${maxLength} characters` }
      rows.push(row)
    }
    return { ...typed(statement.getColumnNames([]), rows), truncated: false }
  } catch (error) {
    if (error instanceof SQLite3Error && error.resultCode === capi.SQLITE_INTERRUPT) return "interrupted"
    return { message: messageOf(error) }
  } finally {
    db.close()
  }
}

type Database = InstanceType<Awaited<ReturnType<typeof loadSqlite>>["oo1"]["DB"]>

const hasStatement = (db: Database, sql: string): boolean => {
  try {
    db.prepare(sql).finalize()
    return true
  } catch (error) {
    return messageOf(error) !== "Cannot prepare empty SQL."
  }
}

const messageOf = (error: unknown): string => {
  const message = (error instanceof Error ? error.message : String(error)).replace(
    /^SQLITE_\w+: sqlite3 result code \d+: /,
    ""
  )
  return message === "out of memory" ? "out of memory: it needs more than 256 MB" : message
}

const identifier = (name: string): string => `"${name.replaceAll("\"", "\"\"")}"`

const toCell = (value: unknown): Cell => {
  if (typeof value === "string" || typeof value === "number") return value
  if (typeof value === "bigint") return new ExactNumber(String(value))
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : null
}
