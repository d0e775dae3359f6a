import { PgTypes } from "@effect/sql-pg"
import { Record, Result } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"

export const array = (values: ReadonlyArray<unknown>, elementType: number): PgTypes.Parameter =>
  Result.getOrThrow(PgTypes.array(values, elementType))

export const textArray = (values: ReadonlyArray<string>): PgTypes.Parameter => array(values, PgTypes.OID.text)

const scalar = (value: unknown, oid: number): PgTypes.Parameter => ({
  [PgTypes.ParameterTypeId]: PgTypes.ParameterTypeId,
  oid,
  value
})

/**
 * Inserts rows with one array parameter per column, so that any number of rows uses the same prepared statement. A
 * single row uses scalars, which take the database a quarter less time. `types` maps columns to type OIDs. `tail`
 * follows the SELECT.
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
  const scalarsOf = (row?: Row) => names.map((name) => scalar(row?.[name] ?? null, types[name]))

  const columns = sql.csv(names.map((name) => sql`${sql(name)}`))
  const textOf = (values: ReadonlyArray<Fragment>) =>
    sql`INSERT INTO ${sql(table)} (${columns}) SELECT ${sql.csv(values)} ${tail}`.compile()[0]
  // Parallel `unnest` in the SELECT list avoids building the rows before the first insert.
  const many = textOf(arraysOf([]).map((array) => sql`unnest(${array})`))
  const one = textOf(scalarsOf().map((value) => sql`${value}`))

  return (rows: ReadonlyArray<Row>, ...parameters: ReadonlyArray<unknown>) =>
    rows.length === 1
      ? sql.unsafe<Returned>(one, [...scalarsOf(rows[0]), ...parameters])
      : sql.unsafe<Returned>(many, [...arraysOf(rows), ...parameters])
}
