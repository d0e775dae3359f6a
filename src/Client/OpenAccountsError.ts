export interface Issue {
  /** Starts at the request's body, as in `["input", "site"]`. */
  readonly path: ReadonlyArray<string | number>
  readonly message: string
}

interface OtherCall {
  readonly call_id: string
}

interface RetryLater {
  readonly retry_after_seconds: number
}

interface Limit {
  readonly limited_by: string
  readonly retry_after_seconds: number
}

interface Ambiguity {
  readonly connection_ids: ReadonlyArray<string>
  readonly connections?: ReadonlyArray<{
    readonly id: string
    readonly label: string
    readonly client: { readonly id: string; readonly name: string } | null
    readonly external_account: string | null
    readonly last_error: { readonly code: string; readonly at: string } | null
  }>
}

interface MissingConnection {
  readonly provider: string
  /** The dashboard page where a member connects or reconnects it. */
  readonly connect_url?: string
  /** Connections nearest to what the caller named, at most three of those that it can use. */
  readonly active?: ReadonlyArray<{ readonly id: string; readonly label: string }>
  /** How many more there are. */
  readonly more?: number
  readonly reason?: "not_connected" | "unknown_connection" | "other_provider" | "expired" | "revoked"
}

interface ShownChanges {
  readonly changes: ReadonlyArray<unknown>
  readonly not_shown: { readonly changes: number; readonly cells: number; readonly characters: number }
  readonly truncated?: true
}

export interface ErrorDetails {
  readonly unauthenticated: undefined
  readonly rate_limited: Limit | undefined
  readonly payload_too_large: undefined
  readonly headers_too_large: undefined
  readonly request_timeout: undefined
  readonly invalid_http: undefined
  readonly invalid_json: undefined
  readonly invalid_input: ReadonlyArray<Issue> | undefined
  readonly provider_not_found: undefined
  readonly endpoint_not_found: undefined
  readonly tool_not_found: undefined
  readonly read_only: undefined
  readonly forbidden: undefined
  readonly idempotency_in_progress: RetryLater | undefined
  readonly idempotency_key_reused: OtherCall | undefined
  readonly outcome_unknown: OtherCall | undefined
  readonly connection_not_found: MissingConnection | undefined
  readonly connection_ambiguous: Ambiguity
  readonly connection_inactive: MissingConnection | undefined
  readonly approval_required: { readonly approval_id: string; readonly url: string; readonly expires_at: string }
  readonly approval_denied: { readonly approval_id: string }
  readonly approval_stale: ShownChanges
  readonly approval_not_found: undefined
  readonly undo_conflict: ShownChanges
  readonly undo_unavailable: {
    readonly reason: "not_kept" | "no_inverse" | "too_large" | "expired" | "already_undone"
  }
  readonly resource_not_found: { readonly resource: string }
  readonly credentials_expired: undefined
  /** `{ reason: "resource_not_shared", resource, nearest }`, or the provider's response body. */
  readonly credentials_rejected: unknown
  readonly upstream_error: unknown
  readonly upstream_unreachable: undefined
  readonly internal_error: undefined
  readonly unavailable: RetryLater | undefined
  readonly route_not_found: undefined
  readonly method_not_allowed: undefined
  readonly call_not_found: undefined
  readonly result_not_found: undefined
  readonly bulk_call_not_found: undefined
  readonly client_not_found: undefined
  readonly connection_derived: undefined
  readonly link_not_found: undefined
  readonly webhook_not_found: undefined
  readonly delivery_not_found: undefined
  readonly dataset_not_found: undefined
  readonly file_not_found: undefined
  /** Raised by the client: the service did not respond. `sent` is false if the request was certainly not sent. */
  readonly unreachable: { readonly sent: boolean }
  /**
   * From the client: the response is from something else than this service, for example a proxy. `body` has at most 300
   * characters.
   */
  readonly invalid_response: { readonly body: string }
}

export type ErrorCode = keyof ErrorDetails

interface Options<Code extends ErrorCode> {
  readonly code: Code
  readonly message: string
  readonly status: number
  readonly callId: string | undefined
  readonly retryAfterMillis: number | undefined
  readonly details: ErrorDetails[Code]
  readonly cause?: unknown
}

class CallError<Code extends ErrorCode> extends Error {
  override readonly name = "OpenAccountsError"
  readonly code: Code
  /** The HTTP status, 0 if the service did not respond. */
  readonly status: number
  /** The id of the request. `logs.get` of the client finds a call by it. */
  readonly callId: string | undefined
  readonly retryAfterMillis: number | undefined
  readonly details: ErrorDetails[Code]

  constructor({ callId, cause, code, details, message, retryAfterMillis, status }: Options<Code>) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status
    this.callId = callId
    this.retryAfterMillis = retryAfterMillis
    this.details = details
  }
}

/** A union by `code`, so that a check of the code narrows `details`. */
export type OpenAccountsError = { readonly [Code in ErrorCode]: CallError<Code> }[ErrorCode]

export const OpenAccountsError: {
  readonly prototype: OpenAccountsError
  new<Code extends ErrorCode>(options: Options<Code>): CallError<Code>
} = CallError
