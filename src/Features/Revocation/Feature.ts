import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type { Feature } from "../Feature.ts"
import { RevocationsApi, RevocationsGroup } from "./Contract.ts"
import { RevocationsHandlers } from "./Handlers.ts"
import { revocationSecrets } from "./RevocationQueue.ts"
import { RevocationRunner } from "./RevocationRunner.ts"
import { Revocations } from "./Revocations.ts"

/** Revokes many connections together, also at their providers. */
export const revocation: Feature = {
  name: "revocation",
  layer: Layer.merge(
    HttpApiBuilder.layer(RevocationsApi).pipe(Layer.provide(RevocationsHandlers), Layer.provide(Revocations.layer)),
    RevocationRunner
  ),
  owns: { groups: [RevocationsGroup], secrets: [revocationSecrets] }
}
