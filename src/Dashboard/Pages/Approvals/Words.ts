import type { ApprovalStatus } from "../../../Domain/Calls/Approval.ts"
import type { State } from "../../Parts/Status.tsx"

export const statusWords: Readonly<Record<ApprovalStatus, readonly [State, string]>> = {
  pending: ["attention", "Waits for you"],
  approved: ["attention", "Being sent"],
  denied: ["off", "Denied"],
  expired: ["off", "Expired"],
  done: ["ok", "Approved and sent"]
}

export const operationName = (target: string): string => target.replace(/^\w+:/, "")
