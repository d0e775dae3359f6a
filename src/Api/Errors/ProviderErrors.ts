import { Schema } from "effect"
import { apiError, type Options } from "../ApiError.ts"

export class CredentialsExpired extends apiError("CredentialsExpired", {
  code: "credentials_expired",
  status: 401,
  when: "The account owner revoked access or the provider expired it; reconnect the connection"
}) {
  /** The body with which the token endpoint refused. Callers do not get it. */
  readonly refusal: Schema.Json | undefined

  constructor({ refusal, ...options }: Options<never> & { readonly refusal?: Schema.Json } = {}) {
    super(options)
    this.refusal = refusal
  }
}

export class CredentialsRejected extends apiError("CredentialsRejected", {
  code: "credentials_rejected",
  status: 502,
  when: "The provider refused the stored credentials",
  details: Schema.Json.annotate({
    description: "The provider's response body. Where the account only does not reach the resource of the call: " +
      "`{ reason: \"resource_not_shared\", resource, nearest }`, with at most three resources that it reaches."
  })
}) {
  /** Whether the provider denied the request and not the credentials. */
  readonly denied: boolean
  /** Whether the credentials work, but the account has no access to the resource of the request. */
  readonly notShared: boolean

  constructor(
    { denied = false, notShared = false, ...options }:
      & Options<Schema.Json>
      & { readonly denied?: boolean; readonly notShared?: boolean } = {}
  ) {
    super(options)
    this.denied = denied
    this.notShared = notShared
  }
}

export class UpstreamError extends apiError("UpstreamError", {
  code: "upstream_error",
  status: 502,
  when: "The provider answered with an error; the status is the provider's",
  details: Schema.Json.annotate({ description: "The provider's response body." })
}) {
  override readonly status: number

  constructor({ status, ...options }: Options<Schema.Json> & { readonly status: number }) {
    super(options)
    // A response cannot have a status above 599.
    this.status = status < 400 || status > 599 ? 502 : status
  }
}

export class UpstreamUnreachable extends apiError("UpstreamUnreachable", {
  code: "upstream_unreachable",
  status: 502,
  when: "The provider could not be reached; retry with backoff"
}) {
  /** False only if the provider cannot have received the request. A write may then be repeated. */
  readonly wasSent: boolean

  constructor({ wasSent = true, ...options }: Options<never> & { readonly wasSent?: boolean } = {}) {
    super(options)
    this.wasSent = wasSent
  }
}

export type ProviderError = CredentialsExpired | CredentialsRejected | UpstreamError | UpstreamUnreachable

/** `ProviderError` as the errors of an endpoint. */
export const providerErrors = [
  CredentialsExpired.schema,
  CredentialsRejected.schema,
  UpstreamError.schema,
  UpstreamUnreachable.schema
] as const
