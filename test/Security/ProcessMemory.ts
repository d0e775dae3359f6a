import { Effect, Schedule, Schema } from "effect"
import type { ServerProcess } from "../support/ServerProcess.ts"

/** In mebibytes, after a garbage collection. */
const Memory = Schema.Struct({ heap: Schema.Finite, external: Schema.Finite, resident: Schema.Finite })
export type Memory = typeof Memory.Type

const program = `
  const { setFlagsFromString } = await import("node:v8")
  const { runInNewContext } = await import("node:vm")
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc")
  const round = (bytes) => Math.round(bytes / 1048576)
  process.on("SIGUSR2", () => {
    collect()
    const { external, heapUsed, rss } = process.memoryUsage()
    console.error("memory " + JSON.stringify({ heap: round(heapUsed), external: round(external), resident: round(rss) }))
  })
`

export const reportsMemory = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` }

const reportsIn = (output: string) => [...output.matchAll(/^memory (.*)$/gm)].map(([, json]) => json ?? "")

export const memoryOf = Effect.fnUntraced(function*(server: ServerProcess) {
  const before = reportsIn(server.output()).length
  yield* server.kill("SIGUSR2")
  const answers = yield* Effect.repeat(Effect.sync(() => reportsIn(server.output())), {
    until: (answers) => answers.length > before,
    schedule: Schedule.spaced("5 millis"),
    times: 2000
  })
  return yield* Schema.decodeUnknownEffect(Schema.fromJsonString(Memory))(answers.at(-1))
})
