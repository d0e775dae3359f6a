import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { type Feature, FeatureCall, FeatureSend } from "../Feature.ts"
import { approvalPartSecrets, approvalSecrets } from "./ApprovalContents.ts"
import { Approvals } from "./Approvals.ts"
import { approvalsSend, approvalsStep } from "./ApprovalsStep.ts"
import { ApprovedCalls } from "./ApprovedCalls.ts"
import { ApprovalsApi, ApprovalsGroup } from "./Contract.ts"
import { ApprovalsHandlers } from "./Handlers.ts"
import { approvalTimeToLive } from "./Settings.ts"
import { getApprovalTool } from "./Tools.ts"

/** Asks a person before a write. */
export const approvals: Feature = {
  name: "approvals",
  needs: ["preview", "idempotency"],
  layer: Layer.merge(HttpApiBuilder.layer(ApprovalsApi).pipe(Layer.provide(ApprovalsHandlers)), getApprovalTool).pipe(
    Layer.provide(ApprovedCalls.layer)
  ),
  call: Layer.effect(FeatureCall, approvalsStep).pipe(Layer.provide(Approvals.layer)),
  send: Layer.succeed(FeatureSend, approvalsSend),
  owns: {
    groups: [ApprovalsGroup],
    secrets: [approvalSecrets, approvalPartSecrets],
    settings: [approvalTimeToLive],
    settingNames: ["APPROVAL_TTL"]
  }
}
