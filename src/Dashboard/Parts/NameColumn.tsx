import { Middle } from "./Middle.tsx"
import type { Column } from "./Table.tsx"

export const nameColumn = <Row extends object>(title: string, of: (row: Row) => string): Column<Row> => ({
  title,
  sortBy: of,
  cell: (row) => (
    <span className="name">
      <Middle text={of(row)} />
    </span>
  )
})
