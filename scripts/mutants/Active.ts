import { appendFileSync } from "node:fs"
import { env } from "node:process"
import { isMainThread } from "node:worker_threads"

// The main thread prepares what tests share. Threads get the variables of the time when they start.
const active = isMainThread ? undefined : Number(env["MUTANT"])
const log = isMainThread ? undefined : env["MUTANTS_REACHED"]
const reached = new Set<number>()

/** Whether the mutant is the one that is tried. Notes that a test reached its place. */
export const isActive = (id: number): boolean => {
  if (log !== undefined && !reached.has(id)) {
    reached.add(id)
    appendFileSync(log, `${id}\n`)
  }
  return id === active
}
