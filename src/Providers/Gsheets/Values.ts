import { Schema } from "effect"

const Cell = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null]).annotate({
  description: "A cell's value: `null` leaves the cell as it is, an empty string clears it."
})

export const CellValues = Schema.Array(Schema.Array(Cell))
