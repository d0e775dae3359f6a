import { Console, Effect } from "effect"
import { measure } from "./Measure.ts"
import type { Options } from "./RunScenario.ts"
import { type Environment, scenarios } from "./Scenarios.ts"
import { startService } from "./Service.ts"
import { smallRead } from "./Workload.ts"

export const profile = Effect.fn("profile")(function*(
  { account: { key }, storage, upstream }: Environment,
  { folder, postgres, seconds }: Omit<Options, "pairs"> & { readonly folder: string }
) {
  const { connections } = scenarios.small
  const process = yield* startService(storage, upstream.url, {
    nodeArgs: ["--cpu-prof", `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${storage.kind}.cpuprofile`]
  })
  const subject = { name: "openaccounts", process, workload: smallRead, key }
  yield* measure(subject, { connections, postgres, seconds: 2 })
  const { ownCpu, perSecond } = yield* measure(subject, { connections, postgres, seconds })
  yield* Console.log(
    `${folder}/${storage.kind}.cpuprofile: ${perSecond.toFixed(0)} calls/s, ${ownCpu.toFixed(3)} ms of CPU a call`
  )
}, Effect.scoped)
