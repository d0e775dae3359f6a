/** The provider repeats a row now and then; what is the same in every field is one row. */
export const distinctRows = <Row>(rows: ReadonlyArray<Row>): ReadonlyArray<Row> => [
  ...new Map(rows.map((row) => [JSON.stringify(row), row])).values()
]
