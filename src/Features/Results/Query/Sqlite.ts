import sqlite3InitModule from "@sqlite.org/sqlite-wasm"
import type { TablePart } from "../../../Domain/Calls/TablePart.ts"
import { ExactNumber } from "../../../Domain/Json/ExactNumber.ts"
import { type Cell, ColumnTypes } from "../../../Domain/Table/Table.ts"
import { type TableForm, TableWriter, type WrittenTable } from "../TableWriter.ts"

export interface NamedTable {
  readonly name: string
  readonly columns: ReadonlyArray<string>
  /** JSON lists of rows, as UTF-8. */
  readonly chunks: ReadonlyArray<Uint8Array<ArrayBuffer>>
}

/** The tables that lack rows of their source. */
export type Parts = Readonly<Record<string, TablePart>>

export interface QueryResult extends WrittenTable {
  readonly truncated: boolean
  readonly parts: Parts
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

/** The library's own functions show how it was built. */
const isInternalFunction = (name: string | 0 | null): boolean => /^sqlite_/i.test(name || "")

/** Tables that a statement may read besides those that it is about: a list of those, and functions over JSON. */
const readable = ["sqlite_master", "sqlite_schema", "json_each", "json_tree"]

const maxRows = 10_000

/** Bytes for the tables and for what the statement needs. */
const maxMemory = 256 * 1024 * 1024

/** The most bytes of one value. */
const maxValue = 16 * 1024 * 1024

const stepsBetweenChecks = 10_000

export const query = async (
  tables: ReadonlyArray<NamedTable>,
  { form, isLate, onLoaded, parts, sql }: {
    readonly sql: string
    readonly form: TableForm
    readonly parts: Parts
    readonly onLoaded: () => void
    /** Whether to interrupt the statement. A single step of it can take long. */
    readonly isLate: () => boolean
  }
): Promise<QueryResult | QueryFailure | "interrupted"> => {
  const { capi, oo1, SQLite3Error } = await loadSqlite()
  const db = new oo1.DB(":memory:")
  try {
    db.exec(`PRAGMA hard_heap_limit = ${maxMemory}`)
    for (const { chunks, columns, name } of tables) {
      db.exec(`CREATE TABLE ${identifier(name)} (${columns.map(identifier).join()})`)
      const cells = columns.map((_, index) => `value ->> ${index}`).join()
      const insert = `INSERT INTO ${identifier(name)} SELECT ${cells} FROM json_each(?)`
      for (const chunk of chunks) db.exec({ sql: insert, bind: [new TextDecoder().decode(chunk)] })
    }
    const isReadable = readableIn(db, tables)
    capi.sqlite3_limit(db, capi.SQLITE_LIMIT_LENGTH, maxValue)
    capi.sqlite3_set_authorizer(
      db,
      (_, action, first, second) => {
        switch (action) {
          case capi.SQLITE_SELECT:
          case capi.SQLITE_RECURSIVE:
            return capi.SQLITE_OK
          case capi.SQLITE_READ:
            return isReadable(first || "", second || "") ? capi.SQLITE_OK : capi.SQLITE_DENY
          case capi.SQLITE_FUNCTION:
            return isInternalFunction(second) ? capi.SQLITE_DENY : capi.SQLITE_OK
          default:
            return capi.SQLITE_DENY
        }
      },
      0
    )
    onLoaded()
    capi.sqlite3_progress_handler(db, stepsBetweenChecks, () => isLate() ? 1 : 0, 0)
    const statement = db.prepare(sql)
    if (capi.sqlite3_stmt_isexplain(statement) !== 0) return { message: "Expected a SELECT" }
    if (hasStatement(db, sql.slice(capi.sqlite3_sql(statement)?.length ?? 0))) {
      return { message: "Expected one statement" }
    }
    // A statement that is no SELECT may have none, and fails at its first step.
    const names = statement.columnCount === 0 ? [] : statement.getColumnNames([])
    const types = new ColumnTypes()
    const writer = new TableWriter(names, form, Object.keys(parts).length === 0 ? {} : { parts })
    let truncated = false
    while (!truncated && statement.step()) {
      const row = writer.rows < maxRows ? statement.get([]).map(toCell) : undefined
      truncated = row === undefined || !writer.add(row)
      if (row !== undefined && !truncated) types.add(row)
    }
    return { ...writer.end(types.columns(names), { truncated }), truncated, parts }
  } catch (error) {
    if (error instanceof SQLite3Error && error.resultCode === capi.SQLITE_INTERRUPT) return "interrupted"
    return { message: messageOf(error) }
  } finally {
    db.close()
  }
}

type Database = InstanceType<Awaited<ReturnType<typeof loadSqlite>>["oo1"]["DB"]>

/**
 * SQLite asks about each column that a statement reads. It asks without a column about a table of which no column is
 * read, and about common table expressions. Without a column, every name is allowed but those of SQLite's own tables.
 */
const readableIn = (db: Database, tables: ReadonlyArray<NamedTable>) => {
  const allowed = new Set([...readable, ...tables.map(({ name }) => name.toLowerCase())])
  const modules = new Set(db.selectValues("SELECT name FROM pragma_module_list"))
  return (table: string, column: string): boolean => {
    const name = table.toLowerCase()
    return allowed.has(name) || column === "" && !modules.has(name) && !/^(?:sqlite|pragma)_/.test(name)
  }
}

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
