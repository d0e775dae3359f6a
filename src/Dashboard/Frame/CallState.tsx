import type { LoggedCall } from "../../Domain/Calls/Call.ts"
import { Status, StatusOf } from "../Parts/Status.tsx"
import { refusals } from "./ServedPages.ts"

/** The status and error code of a call, or the words of a feature for a call that it has held. */
export const CallState = (
  { call: { error_code, http_status, outcome } }: {
    readonly call: Pick<LoggedCall, "error_code" | "http_status" | "outcome">
  }
) => {
  const refusal = refusals[error_code ?? ""]
  if (refusal !== undefined) return <StatusOf entry={refusal} />
  return outcome === "ok"
    ? <Status state="ok">{http_status}</Status>
    : <Status state="error">{http_status} {error_code}</Status>
}
