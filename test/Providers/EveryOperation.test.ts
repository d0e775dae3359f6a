import { describe, layer } from "@effect/vitest"
import { type Check, operations } from "./Checks/Check.ts"
import { googleChecks, sitesearchChecks } from "./Checks/Contracts.ts"
import { inputChecks } from "./Checks/Inputs.ts"
import { ClientOnLoopback } from "./ClientOnLoopback.ts"

/** The one walk over the catalogue. A check of every operation is registered here. */
const checks: ReadonlyArray<Check> = [...inputChecks, ...googleChecks, ...sitesearchChecks]

// Real sockets need the real clock.
layer(ClientOnLoopback, { excludeTestServices: true })("Every operation", (it) => {
  for (const operation of operations) {
    describe(`${operation.name}`, () => {
      for (const { absence = "", of, says } of checks) {
        const check = of(operation)
        if (check !== undefined) it.effect.skipIf(absence !== "")(`${says}${absence}`, () => check)
      }
    })
  }
})
