import { Effect, Layer } from "effect"
import { quotasSend } from "../Providers/Quotas/QuotaStep.ts"
import { SendSteps } from "../Providers/Sending/SendSteps.ts"
import { Approvals } from "./Approvals/Approvals.ts"
import { approvalsSend, approvalsStep } from "./Approvals/ApprovalsStep.ts"
import { Idempotency } from "./Idempotency/Idempotency.ts"
import { idempotencyStep } from "./Idempotency/IdempotencyStep.ts"
import { idempotencySend } from "./Idempotency/IdempotentWrite.ts"
import { KeptResults } from "./Results/Kept/KeptResults.ts"
import { resultsStep } from "./Results/Shaping/ResultsStep.ts"
import { CallSteps } from "./Steps.ts"
import { undoSend } from "./Undo/KeepWrites.ts"
import { previewStep } from "./Undo/PreviewStep.ts"
import { UndoRecords } from "./Undo/UndoRecords.ts"
import { undoStep } from "./Undo/UndoStep.ts"

/** Around calls, in the order of the checks. */
export const FeatureSteps = Layer.effect(
  CallSteps,
  Effect.all([undoStep, idempotencyStep, Effect.succeed(previewStep), approvalsStep, resultsStep])
).pipe(Layer.provide([Approvals.layer, Idempotency.layer, KeptResults.layer, UndoRecords.layer]))

/** Around the requests of calls. */
export const FeatureSends = Layer.effect(
  SendSteps,
  Effect.map(quotasSend, (quotas) => [approvalsSend, undoSend, quotas, idempotencySend])
)
