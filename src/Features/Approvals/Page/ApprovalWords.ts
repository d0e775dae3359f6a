import { Option, Schema } from "effect"
import { ErrorBody } from "../../../Api/ErrorBody.ts"
import { operationTitle } from "../../../Dashboard/Parts/OperationWords.ts"
import type { State } from "../../../Dashboard/Parts/Status.tsx"
import { ServiceError } from "../../../Dashboard/Service/Service.ts"
import type { Approval } from "../Contract.ts"
import type { ApprovalStatus, ApprovalSummary } from "../Declared.ts"

const statusWords: Readonly<Record<ApprovalStatus, readonly [State, string]>> = {
  pending: ["attention", "Waits for you"],
  approved: ["attention", "Being sent"],
  denied: ["off", "Denied"],
  expired: ["off", "Expired"],
  done: ["ok", "Approved and sent"]
}

const decodeError = Schema.decodeUnknownOption(ErrorBody)

/** Why an approved write has failed. */
export const failureOf = ({ response }: Pick<Approval, "response">): ServiceError | undefined =>
  Option.getOrUndefined(
    Option.map(decodeError(response), ({ call_id, error }) => new ServiceError({ ...error, callId: call_id }))
  )

export const statusOf = (
  { error_code, status }: Pick<ApprovalSummary, "error_code" | "status">
): readonly [State, string] => error_code === null ? statusWords[status] : ["error", "Approved, but failed"]

/** The input is shown only to people who see the connection. */
export const titleOf = ({ input, resource_name, target }: ApprovalSummary & Partial<Pick<Approval, "input">>): string =>
  operationTitle(target, resource_name, input)
