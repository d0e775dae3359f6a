import { PgTypes } from "@effect/sql-pg"
import { Record, Result } from "effect"
import type { SqlClient } from "effect/unstable/sql"

/** An array parameter of elements of a type, which may be empty. */
export const array = (values: ReadonlyArray<unknown>, elementType: number): PgTypes.Parameter =>
  Result.getOrThrow(PgTypes.array(values, elementType))

/** A `text[]` parameter. */
export const textArray = (values: ReadonlyArray<string>): PgTypes.Parameter => array(values, PgTypes.OID.text)

/**
 * Inserts rows that travel as one array a column, so that it is the same statement for any number of them: it is
 * written here once, and parsed by the database once. `types` names the columns and their types; `tail` is what follows
 * the rows, and its parameters come after them each time.
 */
export const insertColumns = <const Column extends string, Returned extends object = never>(
  sql: SqlClient.SqlClient,
  table: string,
  types: Readonly<Record<Column, number>>,
  tail = sql``
) => {
  type Row = Readonly<Record<Column, unknown>>
  const names = Record.keys(types)
  const arraysOf = (rows: ReadonlyArray<Row>) => names.map((name) => array(rows.map((row) => row[name]), types[name]))
  const columns = sql.csv(names.map((name) => sql`${sql(name)}`))
  // As columns, one beside the other: a table of them would be made before the first row is inserted.
  const values = sql.csv(arraysOf([]).map((array) => sql`unnest(${array})`))
  const [text] = sql`INSERT INTO ${sql(table)} (${columns}) SELECT ${values} ${tail}`.compile()
  return (rows: ReadonlyArray<Row>, ...parameters: ReadonlyArray<unknown>) =>
    sql.unsafe<Returned>(text, [...arraysOf(rows), ...parameters])
}
