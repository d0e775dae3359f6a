import { Option } from "effect"

export interface Fault {
  readonly name: FaultName
  readonly site: string
  readonly property: string
  readonly file: string
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

const fault = (name: FaultName, property: number, outcome: string): Fault => ({
  name,
  site: `https://${name}.sandbox.test/`,
  property: `${property}`,
  file: `sandbox-${name}`,
  outcome
})

/** Longer than the default `UPSTREAM_TIMEOUT`. */
export const slowSeconds = 60

export const retryAfterSeconds = 30

export const faults: ReadonlyArray<Fault> = [
  fault("expired-token", 990_001, "200, after one refresh"),
  fault("refused-token", 990_002, "401 credentials_expired; the connection is expired"),
  fault("revoked-grant", 990_003, "401 credentials_expired; the connection is expired"),
  fault("permission-denied", 990_004, "403 (400) upstream_error; 502 credentials_rejected on a service account"),
  fault("throttled", 990_005, "429 (400) upstream_error"),
  fault("throttled-retry-after", 990_006, `429 (400) upstream_error with Retry-After: ${retryAfterSeconds}`),
  fault("server-error", 990_007, "500 upstream_error"),
  fault("html-error", 990_008, "502 upstream_error, the page in details.body"),
  fault("slow-answer", 990_009, "502 upstream_unreachable when UPSTREAM_TIMEOUT has passed"),
  fault("cut-off-answer", 990_010, "502 upstream_unreachable"),
  fault("not-json", 990_011, "502 upstream_unreachable")
]

const byResource = new Map(faults.flatMap((fault) => [
  [fault.site, fault] as const,
  [`sc-domain:${fault.name}.sandbox.test`, fault] as const,
  [fault.property, fault] as const,
  [fault.file, fault] as const
]))

export const findFault = (resource: string): Option.Option<Fault> => Option.fromUndefinedOr(byResource.get(resource))
