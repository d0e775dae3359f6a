import { Option } from "effect"

/**
 * What goes wrong on request. The resource's id says which: `site` for search console and site search, `property` for
 * analytics, `file` for spreadsheets and documents.
 */
export interface Fault {
  readonly name: FaultName
  readonly site: string
  readonly property: string
  readonly file: string
  /** What the provider does. */
  readonly response: string
  /** What a call through an OAuth connection is answered with. */
  readonly outcome: string
}

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

const failure = (name: FaultName, property: number, provider: string, answer: string): Fault => ({
  name,
  site: `https://${name}.sandbox.test/`,
  property: `${property}`,
  file: `sandbox-${name}`,
  response: provider,
  outcome: answer
})

/** Longer than the default `UPSTREAM_TIMEOUT`. */
export const slowSeconds = 60

export const retryAfterSeconds = 30

/** The table for the README; `failureOf` is driven by it. */
export const faults: ReadonlyArray<Fault> = [
  failure("expired-token", 990_001, "says once that the access token has expired", "200, after one refresh"),
  failure("refused-token", 990_002, "refuses every access token", "401 credentials_expired; the connection is expired"),
  failure(
    "revoked-grant",
    990_003,
    "withdraws the grant, so that no refresh succeeds",
    "401 credentials_expired; the connection is expired"
  ),
  failure(
    "permission-denied",
    990_004,
    "answers that the account has no access (403; site search: 400, code 14)",
    "403 (400) upstream_error; 502 credentials_rejected on a service account"
  ),
  failure(
    "throttled",
    990_005,
    "answers that the quota is used up (429; site search: 400, code 4)",
    "429 (400) upstream_error"
  ),
  failure(
    "throttled-retry-after",
    990_006,
    `the same with Retry-After: ${retryAfterSeconds}`,
    `429 (400) upstream_error with Retry-After: ${retryAfterSeconds}`
  ),
  failure("server-error", 990_007, "answers 500", "500 upstream_error"),
  failure("html-error", 990_008, "answers 502 with a page of HTML", "502 upstream_error, the page in details.body"),
  failure(
    "slow-answer",
    990_009,
    `answers after ${slowSeconds} seconds`,
    "502 upstream_unreachable when UPSTREAM_TIMEOUT has passed"
  ),
  failure("cut-off-answer", 990_010, "closes the connection in the middle of the body", "502 upstream_unreachable"),
  failure("not-json", 990_011, "answers 200 with a body that is not JSON", "502 upstream_unreachable")
]

const byResource = new Map(faults.flatMap((failure) => [
  [failure.site, failure] as const,
  [`sc-domain:${failure.name}.sandbox.test`, failure] as const,
  [failure.property, failure] as const,
  [failure.file, failure] as const
]))

/** The failure that a resource's id asks for: a site's URL, a property's number, a file's id. */
export const findFault = (resource: string): Option.Option<Fault> => Option.fromUndefinedOr(byResource.get(resource))
