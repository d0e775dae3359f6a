import { timeColumn } from "./Time.tsx"

export const madeColumn = timeColumn<{ readonly created_at: Date }>("Made", ({ created_at }) => created_at, {
  spare: true
})
