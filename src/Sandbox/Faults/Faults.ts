import { Context, Option } from "effect"

export interface Fault {
  readonly name: FaultName
  readonly site: string
  readonly property: string
  readonly file: string
  readonly outcome: string
}

/** Longer than the default `UPSTREAM_TIMEOUT`. */
export const slowSeconds = 60

export const retryAfterSeconds = 30

const table = [
  ["expired-token", 990_001, "200, after one refresh"],
  ["refused-token", 990_002, "401 credentials_expired; the connection is expired"],
  ["revoked-grant", 990_003, "401 credentials_expired; the connection is expired"],
  ["permission-denied", 990_004, "403 (400) upstream_error; 502 credentials_rejected on a service account"],
  ["throttled", 990_005, "429 (400) upstream_error"],
  ["throttled-retry-after", 990_006, `429 (400) upstream_error with Retry-After: ${retryAfterSeconds}`],
  ["server-error", 990_007, "500 upstream_error"],
  ["html-error", 990_008, "502 upstream_error, the page in details.body"],
  ["slow-answer", 990_009, "502 upstream_unreachable when UPSTREAM_TIMEOUT has passed"],
  ["cut-off-answer", 990_010, "502 upstream_unreachable"],
  ["not-json", 990_011, "502 upstream_unreachable"]
] as const

export type FaultName = typeof table[number][0]

export const faults: ReadonlyArray<Fault> = table.map(([name, property, outcome]) => ({
  name,
  site: `https://${name}.sandbox.test/`,
  property: `${property}`,
  file: `sandbox-${name}`,
  outcome
}))

const byResource = new Map(faults.flatMap((fault) => [
  [fault.site, fault] as const,
  [`sc-domain:${fault.name}.sandbox.test`, fault] as const,
  [fault.property, fault] as const,
  [fault.file, fault] as const
]))

/** The fault that a program has asked for at this request. It comes before that of the resource. */
export const RequestedFault = Context.Reference<() => FaultName | undefined>(
  "openaccounts/Sandbox/Faults/RequestedFault",
  { defaultValue: () => () => undefined }
)

export const findFault = (resource: string): Option.Option<Fault> => Option.fromUndefinedOr(byResource.get(resource))
