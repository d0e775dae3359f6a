import { Layer } from "effect"
import { Approvals } from "../../Calls/Approvals/Approvals.ts"
import { approvalsSend, approvalsStep } from "../../Calls/Approvals/ApprovalsStep.ts"
import { type Feature, FeatureCall, FeatureSend } from "../Feature.ts"

/** Asks a person before a write. */
export const approvals: Feature = {
  name: "approvals",
  needs: ["preview", "idempotency"],
  layer: Layer.empty,
  call: Layer.effect(FeatureCall, approvalsStep).pipe(Layer.provide(Approvals.layer)),
  send: Layer.succeed(FeatureSend, approvalsSend)
}
