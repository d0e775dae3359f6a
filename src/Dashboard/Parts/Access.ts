import { dayInMillis } from "./Day.ts"

export const accessWords = { read_only: "Read-only", read_write: "Read and write" }

export const accessOptions = [
  {
    value: "read_only",
    title: accessWords.read_only,
    help: "Reads reports, spreadsheets and documents. Calls that change data are refused."
  },
  {
    value: "read_write",
    title: accessWords.read_write,
    help: "Also changes spreadsheets and documents, and submits URLs."
  }
] as const

const unusedAfterDays = 30
export const unusedWords = `Unused for ${unusedAfterDays} days`

export const isUnused = ({ created_at, last_used_at }: {
  readonly created_at: Date
  readonly last_used_at: Date | null
}): boolean => Date.now() - (last_used_at ?? created_at).getTime() > unusedAfterDays * dayInMillis
