import { PgTypes } from "@effect/sql-pg"
import { Record, Result } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"

/** An array parameter of elements of a type, which may be empty. */
export const array = (values: ReadonlyArray<unknown>, elementType: number): PgTypes.Parameter =>
  Result.getOrThrow(PgTypes.array(values, elementType))

/** A `text[]` parameter. */
export const textArray = (values: ReadonlyArray<string>): PgTypes.Parameter => array(values, PgTypes.OID.text)

const scalar = (value: unknown, oid: number): PgTypes.Parameter => ({
  [PgTypes.ParameterTypeId]: PgTypes.ParameterTypeId,
  oid,
  value
})

/**
 * Inserts rows that travel as one array a column, so that it is the same statement for any number of them: it is
 * written here once, and parsed by the database once. A row alone goes without arrays, which takes the database a
 * quarter less. `types` names the columns and their types; `tail` is what follows the rows, and its parameters come
 * after them each time.
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
  // As columns, one beside the other: a table of them would be made before the first row is inserted.
  const many = textOf(arraysOf([]).map((array) => sql`unnest(${array})`))
  const one = textOf(scalarsOf().map((value) => sql`${value}`))

  return (rows: ReadonlyArray<Row>, ...parameters: ReadonlyArray<unknown>) =>
    rows.length === 1
      ? sql.unsafe<Returned>(one, [...scalarsOf(rows[0]), ...parameters])
      : sql.unsafe<Returned>(many, [...arraysOf(rows), ...parameters])
}
