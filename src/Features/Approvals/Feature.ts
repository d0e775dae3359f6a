import { Layer } from "effect"
import { type Feature, FeatureCall, FeatureSend } from "../Feature.ts"
import { Approvals } from "./Approvals.ts"
import { approvalsSend, approvalsStep } from "./ApprovalsStep.ts"
import { ApprovedCalls } from "./ApprovedCalls.ts"
import { getApprovalTool } from "./Tools.ts"

/** Asks a person before a write. */
export const approvals: Feature = {
  name: "approvals",
  needs: ["preview", "idempotency"],
  layer: getApprovalTool.pipe(Layer.provide(ApprovedCalls.layer)),
  call: Layer.effect(FeatureCall, approvalsStep).pipe(Layer.provide(Approvals.layer)),
  send: Layer.succeed(FeatureSend, approvalsSend)
}
