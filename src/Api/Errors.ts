import { Effect, Predicate, type Result, Schema } from "effect"
import type { Via } from "../Domain/Access/Principal.ts"
import { ConnectionChoice } from "../Domain/Connection.ts"
import { ConnectionId } from "../Domain/Ids.ts"
import { cutMessage, Issue, listIssues } from "../Domain/Validation/Issue.ts"
import { apiError, type Options, TypeId } from "./ApiError.ts"
import {
  CredentialsExpired,
  CredentialsRejected,
  type ProviderError,
  UpstreamError,
  UpstreamUnreachable
} from "./Errors/ProviderErrors.ts"
import {
  type CallerDisconnected,
  type HeadersTooLarge,
  InvalidHttp,
  InvalidJson,
  type MethodNotAllowed,
  PayloadTooLarge,
  RequestTimeout,
  type RouteNotFound,
  type Unavailable
} from "./Errors/RequestErrors.ts"
import {
  ApprovalDenied,
  type ApprovalNotFound,
  ApprovalRequired,
  IdempotencyInProgress,
  IdempotencyKeyReused,
  OutcomeUnknown,
  UndoConflict,
  UndoUnavailable
} from "./Errors/WriteErrors.ts"
import type {
  ClientInUse,
  ClientNotFound,
  ConnectionDerived,
  EmailTaken,
  GrantNotFound,
  KeyNotFound,
  LastAdmin,
  LinkNotFound,
  LinkOver,
  MemberNotFound
} from "./ManagementErrors.ts"

export class Unauthenticated extends apiError("Unauthenticated", {
  code: "unauthenticated",
  status: 401,
  when: "The API key or agent token in `Authorization: Bearer …` is missing, malformed, expired or revoked"
}) {}

interface ReachedLimit {
  readonly limited_by: Via | "sign_in" | "member_share" | "capacity" | "provider_quota" | "budget"
  readonly retry_after_seconds: number
  /** The id of the provider's quota or of the budget. */
  readonly quota?: string
  readonly limit?: number
  readonly resets_at?: string
}

export class RateLimited extends apiError("RateLimited", {
  code: "rate_limited",
  status: 429,
  when: "The key or grant has reached its rate limit, or the member its share; retry after `Retry-After` seconds",
  details: Schema.Struct({
    limited_by: Schema.String,
    retry_after_seconds: Schema.Int,
    quota: Schema.String.annotate({ description: "The quota of the provider, or the budget." }).pipe(
      Schema.optionalKey
    ),
    limit: Schema.Int.pipe(Schema.optionalKey),
    resets_at: Schema.String.annotate({ description: "When a unit can be had, ISO 8601." }).pipe(Schema.optionalKey)
  })
}) {
  declare readonly details: ReachedLimit

  constructor({ details, message }: { readonly message: string; readonly details: ReachedLimit }) {
    super({ message, details, retryAfter: `${details.retry_after_seconds}` })
  }
}

export class InvalidInput extends apiError("InvalidInput", {
  code: "invalid_input",
  status: 400,
  when: "The request or the operation's `input` failed validation",
  details: Schema.Array(Issue)
}) {
  constructor(
    { agentMessage, details, message }: Pick<Options<ReadonlyArray<Issue>>, "agentMessage" | "details" | "message">
  ) {
    super({
      message: message && cutMessage(message),
      agentMessage: agentMessage && cutMessage(agentMessage),
      details: details && listIssues(details)
    })
  }

  static readonly fromResult = <A>(result: Result.Result<A, ReadonlyArray<Issue>>): Effect.Effect<A, InvalidInput> =>
    Effect.mapError(Effect.fromResult(result), (details) => new InvalidInput({ details }))

  static readonly at = (field: string, message: string): InvalidInput =>
    new InvalidInput({ details: [{ path: [field], message }] })

  /** The hints say where the input is described: `program` names a path, `agent` a tool. */
  static readonly ofCall = (
    details: ReadonlyArray<Issue>,
    { agent, program }: { readonly program?: string; readonly agent?: string } = {}
  ): InvalidInput => {
    const message = "The call failed validation; nothing was sent to the provider."
    const withHint = (hint: string | undefined) => hint === undefined ? message : `${message} ${hint}`
    return new InvalidInput({ message: withHint(program), agentMessage: withHint(agent), details })
  }
}

export class ProviderNotFound extends apiError("ProviderNotFound", {
  code: "provider_not_found",
  status: 404,
  when: "There is no provider with that id"
}) {}

export class EndpointNotFound extends apiError("EndpointNotFound", {
  code: "endpoint_not_found",
  status: 404,
  when: "The provider has no raw endpoint with that id"
}) {}

export class ToolNotFound extends apiError("ToolNotFound", {
  code: "tool_not_found",
  status: 404,
  when: "The provider has no smart tool with that name"
}) {}

/** Which connections the caller can use instead, and where to connect or reconnect one. */
const MissingConnection = Schema.Struct({
  provider: Schema.String,
  connect_url: Schema.String.annotate({ description: "The dashboard page where a member connects or reconnects it." })
    .pipe(Schema.optionalKey),
  active: Schema.Array(Schema.Struct({ id: ConnectionId, label: Schema.String })).annotate({
    description: "At most three active connections of the provider that the caller can use, with the nearest labels."
  }).pipe(Schema.optionalKey),
  more: Schema.Int.annotate({ description: "How many more active connections there are." }).pipe(Schema.optionalKey),
  reason: Schema.Literals(["not_connected", "unknown_connection", "other_provider", "expired", "revoked"]).pipe(
    Schema.optionalKey
  )
})

export class ConnectionNotFound extends apiError("ConnectionNotFound", {
  code: "connection_not_found",
  status: 404,
  when: "The caller sees no such connection, or no active connection of the provider",
  details: MissingConnection
}) {}

/** An agency has thousands. */
export const maxChoices = 100

export class ConnectionAmbiguous extends apiError("ConnectionAmbiguous", {
  code: "connection_ambiguous",
  status: 400,
  when: "Several active connections match; pass one of them as `connection_id`",
  details: Schema.Struct({
    connection_ids: Schema.Array(ConnectionId),
    connections: Schema.Array(ConnectionChoice).annotate({ description: `At most ${maxChoices} of them.` })
  })
}) {}

export class ConnectionInactive extends apiError("ConnectionInactive", {
  code: "connection_inactive",
  status: 409,
  when: "The named connection is expired or revoked",
  details: MissingConnection
}) {}

export class ReadOnly extends apiError("ReadOnly", {
  code: "read_only",
  status: 403,
  when: "A read-only key or grant cannot call an operation that writes"
}) {}

export class Forbidden extends apiError("Forbidden", {
  code: "forbidden",
  status: 403,
  when: "The caller may not do this"
}) {}

export class ResourceNotFound extends apiError("ResourceNotFound", {
  code: "resource_not_found",
  status: 404,
  when: "The call is about a resource outside of those that its connection, key or grant allows",
  details: Schema.Struct({ resource: Schema.String })
}) {}

export class InternalError extends apiError("InternalError", {
  code: "internal_error",
  status: 500,
  when: "Something failed inside the service; retry, and report the `call_id` if it persists"
}) {}

export class CallNotFound extends apiError("CallNotFound", {
  code: "call_not_found",
  status: 404,
  when: "The caller sees no call with that id"
}) {}

/**
 * `RateLimited` is the service's own limit: a write that fails with it was not sent. `InternalError` if the connection's
 * credentials cannot be decrypted.
 */
export type ProviderCallError = ProviderError | RateLimited | InternalError

/** The errors of a request that a tool sends. A bound can refuse it. */
export type ToolCallError = ProviderCallError | ResourceNotFound | RightsLost

/** Errors of a call that waited for a quota, and whose rights were read again before it was sent. */
export type RightsLost =
  | Unauthenticated
  | Forbidden
  | ReadOnly
  | ConnectionNotFound
  | ConnectionAmbiguous
  | ConnectionInactive
  | ResourceNotFound
  | InvalidInput

/** The errors of a call, and of an undo, which is a call of its own. */
export const callErrors = [
  Unauthenticated,
  Forbidden,
  RateLimited,
  PayloadTooLarge,
  RequestTimeout,
  InvalidHttp,
  InvalidJson,
  InvalidInput,
  ProviderNotFound,
  EndpointNotFound,
  ToolNotFound,
  ReadOnly,
  IdempotencyInProgress,
  IdempotencyKeyReused,
  OutcomeUnknown,
  ConnectionNotFound,
  ConnectionAmbiguous,
  ConnectionInactive,
  ResourceNotFound,
  CallNotFound,
  UndoConflict,
  UndoUnavailable,
  ApprovalRequired,
  ApprovalDenied,
  CredentialsExpired,
  CredentialsRejected,
  UpstreamError,
  UpstreamUnreachable,
  InternalError
] as const

export type CallError = InstanceType<(typeof callErrors)[number]>

export type ApiError =
  | CallError
  | CallerDisconnected
  | HeadersTooLarge
  | Unavailable
  | ApprovalNotFound
  | RouteNotFound
  | MethodNotAllowed
  | ClientInUse
  | ClientNotFound
  | ConnectionDerived
  | MemberNotFound
  | EmailTaken
  | LastAdmin
  | LinkNotFound
  | LinkOver
  | KeyNotFound
  | GrantNotFound

export const isApiError = (u: unknown): u is ApiError => Predicate.hasProperty(u, TypeId)
