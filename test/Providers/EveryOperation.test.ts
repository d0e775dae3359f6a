import { describe, layer } from "@effect/vitest"
import { Layer } from "effect"
import { ProviderHttp } from "../../src/Outbound/UndiciHttpClient.ts"
import { ProviderClient } from "../../src/Providers/ProviderClient.ts"
import { Quotas } from "../../src/Providers/Quotas/Quotas.ts"
import { Upstream } from "../../src/Providers/Upstream.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { type Check, operations } from "./Checks/Check.ts"
import { googleChecks } from "./Checks/GoogleContract.ts"
import { inputChecks } from "./Checks/Inputs.ts"
import { sitesearchChecks } from "./Checks/SitesearchContract.ts"

/** The one walk over the catalogue. A check of every operation is registered here. */
const checks: ReadonlyArray<Check> = [...inputChecks, ...googleChecks, ...sitesearchChecks]

const TestLayer = ProviderClient.layer.pipe(
  Layer.provide(Quotas.layerOff),
  Layer.provide(Upstream.layer),
  Layer.provide(ProviderHttp.layer),
  Layer.provideMerge(LoopbackUpstream.originsLayer),
  Layer.provideMerge(LoopbackUpstream.layer)
)

// Real sockets need the real clock.
layer(TestLayer, { excludeTestServices: true })("Every operation", (it) => {
  for (const operation of operations) {
    describe(`${operation.name}`, () => {
      for (const { absence = "", of, says } of checks) {
        const check = of(operation)
        if (check !== undefined) it.effect.skipIf(absence !== "")(`${says}${absence}`, () => check)
      }
    })
  }
})
