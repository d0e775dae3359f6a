import type { Approval } from "../../../Domain/Calls/Approval.ts"
import { Status } from "../../Parts/Status.tsx"
import { statusOf } from "./Words.ts"

export const Decision = ({ approval }: { readonly approval: Approval }) => {
  const [state, word] = statusOf(approval)
  return <Status state={state}>{word}</Status>
}
