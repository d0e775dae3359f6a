import { type Answer, errorIn } from "../support/Answer.ts"

export type Outcome =
  | "upstream_error"
  | "credentials_rejected"
  | "resource_not_shared"
  | "credentials_expired"
  | "upstream_unreachable"

export interface ErrorCase {
  readonly name: string
  readonly provider: string
  readonly status: number
  readonly body: unknown
  readonly oauth: Outcome
  readonly account: Outcome
}

export const expectedError = (outcome: Outcome, { body, status }: Pick<ErrorCase, "body" | "status">) => {
  const details = typeof body === "string" ? { body: body.slice(0, 2000) } : body
  switch (outcome) {
    case "upstream_error":
      return { status: status < 400 ? 502 : status, code: outcome, details }
    case "credentials_rejected":
      return { status: 502, code: outcome, details }
    case "resource_not_shared":
      return { status: 502, code: "credentials_rejected", details: { reason: outcome } }
    case "credentials_expired":
      return { status: 401, code: outcome, details: undefined }
    case "upstream_unreachable":
      return { status: 502, code: outcome, details: undefined }
  }
}

export const actualError = (
  answer: Answer
): { readonly status: number; readonly code: string; readonly details: unknown } => {
  const { code, details } = errorIn(answer)
  const { reason } = Object(details)
  return { status: answer.status, code, details: reason === "resource_not_shared" ? { reason } : details }
}
