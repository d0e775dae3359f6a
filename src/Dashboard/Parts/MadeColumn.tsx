import type { Column } from "./Table.tsx"
import { Time } from "./Time.tsx"

export const madeColumn: Column<{ readonly created_at: Date }> = {
  title: "Made",
  spare: true,
  sortBy: ({ created_at }) => created_at,
  cell: ({ created_at }) => <Time at={created_at} />
}
