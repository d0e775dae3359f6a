/**
 * `project` is the Google project of the OAuth client or service account, `account` the account whose credentials are
 * used, `resource` the property, site or file of the request.
 */
export type QuotaScope = "resource" | "project_resource" | "account" | "project"

interface QuotaInput {
  readonly body?: unknown
}

/** A limit of the provider. The figures stand where the provider documents them, at `source`. */
export interface Quota {
  /** Unique, such as `gsheets.read.account`. `QUOTAS` names it. */
  readonly name: string
  readonly scope: QuotaScope
  /**
   * `units` counts what requests take. `concurrent` counts requests under way. `server_errors` counts answers with a
   * status of 500 or more, and requests under way, which could become one.
   */
  readonly counts: "units" | "concurrent" | "server_errors"
  /** A sliding window, unless `resets` is given. `concurrent` ignores it. */
  readonly windowSeconds: number
  /** A window of days that end at midnight in this time zone. */
  readonly resets?: string
  readonly limit: number
  /** Units by the id of an endpoint. Other endpoints take nothing. */
  readonly units: Readonly<Record<string, number | ((input: QuotaInput) => number)>>
  /** Matches the text with which an error of the provider names this quota. */
  readonly named?: RegExp
  /** The field of GA4's `propertyQuota` that reports this quota. */
  readonly reported?: string
  readonly source: string
  /** The day on which the figures were read. */
  readonly asOf: string
}

/** From the narrowest to the widest. */
export const scopes: ReadonlyArray<QuotaScope> = ["resource", "project_resource", "account", "project"]

export const narrowest = (quotas: ReadonlyArray<Quota>): Quota | undefined =>
  quotas.filter(({ counts }) => counts === "units").toSorted((one, other) =>
    scopes.indexOf(one.scope) - scopes.indexOf(other.scope) || one.windowSeconds - other.windowSeconds
  )[0]

export const unitsOf = ({ units }: Quota, endpoint: string, input: QuotaInput): number => {
  const declared = units[endpoint] ?? 0
  return typeof declared === "number" ? declared : declared(input)
}

/** One unit for each request of these endpoints. */
export const onePerRequest = (endpoints: ReadonlyArray<string>): Readonly<Record<string, number>> =>
  Object.fromEntries(endpoints.map((endpoint) => [endpoint, 1]))

/** Whose credentials a request uses. */
export interface QuotaAccount {
  /** `undefined` where no Google project is known. */
  readonly project: string | undefined
  readonly account: string
}

export const isOfResource = ({ scope }: Quota): boolean => scope === "resource" || scope === "project_resource"

/**
 * What a quota is counted for. `undefined` where the request has no such subject. A resource that the account has not
 * reached counts under both, so that naming it takes nothing from others.
 */
export const subjectOf = (
  scope: QuotaScope,
  { account, project }: QuotaAccount,
  named: string | null,
  isReached: boolean
): string | undefined => {
  const resource = named === null || isReached ? named : `${account} ${named}`
  switch (scope) {
    case "account":
      return account
    case "project":
      return project
    case "resource":
      return resource ?? undefined
    case "project_resource":
      return resource === null || project === undefined ? undefined : `${project} ${resource}`
  }
}
