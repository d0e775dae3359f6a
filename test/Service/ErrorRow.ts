import type { Answer } from "../support/TestServer.ts"

/** What becomes of a provider's error (section 7 of the contract). */
export type Outcome = "upstream_error" | "credentials_rejected" | "credentials_expired" | "upstream_unreachable"

/** What a provider answers, and what the caller is told. */
export interface ErrorRow {
  readonly what: string
  readonly provider: string
  readonly status: number
  /** A text is no JSON. */
  readonly body: unknown
  /** Through a person's connection. */
  readonly oauth: Outcome
  /** Through a service account or an API key. */
  readonly account: Outcome
}

/** The error body that the caller gets, without what is there for people. */
export const answerTo = (outcome: Outcome, { body, status }: Pick<ErrorRow, "body" | "status">) => {
  const details = typeof body === "string" ? { body: body.slice(0, 2000) } : body
  switch (outcome) {
    case "upstream_error":
      return { status: status < 400 ? 502 : status, code: outcome, details }
    case "credentials_rejected":
      return { status: 502, code: outcome, details }
    case "credentials_expired":
      return { status: 401, code: outcome, details: undefined }
    case "upstream_unreachable":
      return { status: 502, code: outcome, details: undefined }
  }
}

export const told = ({ json, status }: Answer) => ({ status, code: json.error?.code, details: json.error?.details })
