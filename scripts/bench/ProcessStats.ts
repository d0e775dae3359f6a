import { Effect, FileSystem } from "effect"

/** Linux counts CPU time in ticks of 10 ms. */
const millisPerTick = 10

const read = Effect.fnUntraced(function*(path: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* Effect.catch(fs.readFileString(path), () => Effect.succeed(""))
})

const processTree = (pid: number): Effect.Effect<ReadonlyArray<number>, never, FileSystem.FileSystem> =>
  Effect.gen(function*() {
    const children = (yield* read(`/proc/${pid}/task/${pid}/children`)).split(" ").filter((child) => child !== "")
    const below = yield* Effect.forEach(children, (child) => processTree(Number(child)))
    return [pid, ...below.flat()]
  })

/**
 * Milliseconds, including ended child processes (https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, fields 14
 * to 17).
 */
export const cpuTime = Effect.fnUntraced(function*(root: number) {
  const stats = yield* Effect.forEach(yield* processTree(root), (pid) => read(`/proc/${pid}/stat`))
  const ticks = stats.map((stat) => {
    // The second field, in parentheses, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  })
  return ticks.reduce((sum, each) => sum + each, 0) * millisPerTick
})

export const peakMemory = Effect.fnUntraced(function*(pid: number) {
  const [, kilobytes = "0"] = /^VmHWM:\s+(\d+) kB$/m.exec(yield* read(`/proc/${pid}/status`)) ?? []
  return Number(kilobytes) / 1024
})
