import { Effect } from "effect"
import { type NodeProcess, startProcess } from "../bench/NodeProcess.ts"
import { cpuTime, peakMemory } from "../bench/ProcessStats.ts"
import { freePort } from "../FreePort.ts"
import { heapFlags } from "../HeapFlags.ts"

/** As `bin/openaccounts` starts it. */
const program = {
  script: "dist/service/main.js",
  args: ["serve"],
  nodeArgs: heapFlags
}

export interface Used {
  /** The most resident memory, in mebibytes. */
  readonly memory: number
  /** Milliseconds. */
  readonly cpu: number
}

/** An instance of the service that can crash. It keeps its address. */
export const startInstance = Effect.fnUntraced(function*(settings: Readonly<Record<string, string>>) {
  const env = { ...settings, PORT: `${yield* Effect.promise(freePort)}` }
  const start = startProcess({ ...program, env })
  let life: NodeProcess = yield* start
  let ended: Used = { memory: 0, cpu: 0 }

  const used = Effect.gen(function*() {
    const memory = Math.max(ended.memory, yield* peakMemory(life.pid))
    return { memory, cpu: ended.cpu + (yield* cpuTime(life.pid)) } satisfies Used
  })

  const crash = Effect.gen(function*() {
    ended = yield* used
    process.kill(life.pid, "SIGKILL")
    life = yield* start
  })

  return { url: life.url, used, crash }
})
export type Instance = Effect.Success<ReturnType<typeof startInstance>>
