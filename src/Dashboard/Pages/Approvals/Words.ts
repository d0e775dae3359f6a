import type { ApprovalStatus } from "../../../Domain/Calls/Approval.ts"

export const statusWords: Readonly<Record<ApprovalStatus, string>> = {
  pending: "Waits for you",
  approved: "Being sent",
  denied: "Denied",
  expired: "Expired",
  done: "Sent"
}
