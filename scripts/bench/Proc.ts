import { Effect, FileSystem } from "effect"

/** Linux counts CPU time in ticks of 10 ms. */
const millisPerTick = 10

const read = Effect.fnUntraced(function*(path: string) {
  const fs = yield* FileSystem.FileSystem
  // A process may end while it is looked at.
  return yield* Effect.catch(fs.readFileString(path), () => Effect.succeed(""))
})

const tree = (pid: number): Effect.Effect<ReadonlyArray<number>, never, FileSystem.FileSystem> =>
  Effect.gen(function*() {
    const children = (yield* read(`/proc/${pid}/task/${pid}/children`)).split(" ").filter((child) => child !== "")
    const below = yield* Effect.forEach(children, (child) => tree(Number(child)))
    return [pid, ...below.flat()]
  })

/**
 * CPU time of a process and of all below it, in milliseconds, with that of children that have ended.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html fields 14 to 17
 */
export const cpuTime = Effect.fnUntraced(function*(root: number) {
  const stats = yield* Effect.forEach(yield* tree(root), (pid) => read(`/proc/${pid}/stat`))
  const ticks = stats.map((stat) => {
    // The name in parentheses may hold blanks.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  })
  return ticks.reduce((sum, each) => sum + each, 0) * millisPerTick
})

/** The most memory that a process has held so far, in MB. */
export const peakMemory = Effect.fnUntraced(function*(pid: number) {
  const [, kilobytes = "0"] = /^VmHWM:\s+(\d+) kB$/m.exec(yield* read(`/proc/${pid}/status`)) ?? []
  return Number(kilobytes) / 1024
})
