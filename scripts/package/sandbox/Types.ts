/** A base URL of the sandbox: an API, or a step of a sign-in. */
export type Origin =
  | "gsc"
  | "ga4Data"
  | "ga4Admin"
  | "gsheets"
  | "gdocs"
  | "sitesearch"
  | "googleAuth"
  | "googleToken"
  | "googleRevoke"
  | "googleUserinfo"
  | "sitesearchAuth"
  | "sitesearchToken"

/** In the provider's own form: its status, its body, its headers. */
export type FaultName =
  | "expired-token"
  | "refused-token"
  | "revoked-grant"
  | "permission-denied"
  | "throttled"
  | "throttled-retry-after"
  | "server-error"
  | "html-error"
  | "slow-answer"
  | "cut-off-answer"
  | "not-json"

export interface SandboxOptions {
  /** By default any that is free. */
  readonly port?: number
  /** `true`: the providers' quotas. An object sets limits of its own beside them, such as `{ "gsheets.read.account": 4 }`. */
  readonly quotas?: boolean | Readonly<Record<string, number>>
}

export interface AskedRequest {
  /** ISO 8601. */
  readonly at: string
  readonly origin: string
  readonly method: string
  /** With its query, as the provider would see it. */
  readonly path: string
  /** JSON as a value, forms as text; `null` without one and above 64 KB. */
  readonly body: unknown
  readonly status: number
}

export interface OAuthClient {
  readonly client_id: string
  readonly client_secret: string
}

export interface RunningSandbox {
  /** Takes the paths of every API, for clients that have no base path. */
  readonly url: string
  readonly urls: Readonly<Record<Origin, string>>
  /** What the sandbox accepts. The refresh token has every scope of Google. */
  readonly credentials: {
    readonly google: OAuthClient & { readonly refresh_token: string }
    readonly sitesearch: OAuthClient & { readonly api_key: string }
  }
  /** The settings with which a program reaches it instead of the providers, such as `GSC_BASE_URL`. */
  readonly settings: Readonly<Record<string, string>>
  /** The text of a key file of a service account. */
  readonly makeServiceAccountKey: () => Promise<string>
  /** The next requests to the API fail, by default one. */
  readonly fail: (origin: Origin, fault: FaultName, times?: number) => void
  /** The last 1,000 requests that were answered, the oldest first. */
  readonly asked: () => ReadonlyArray<AskedRequest>
  /** Empties the ledger and takes back faults that have not happened. */
  readonly forget: () => void
  readonly stop: () => Promise<void>
}

export type StartSandbox = (options?: SandboxOptions) => Promise<RunningSandbox>
