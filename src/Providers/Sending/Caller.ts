import type { ProviderQuota } from "../../Capacity/RateLimit.ts"
import type { Budget } from "../../Domain/Access/Budget.ts"
import { type Principal, rateSubjectOf } from "../../Domain/Access/Principal.ts"
import type { ConnectionId } from "../../Domain/Ids.ts"

/** A limit of calls in a day (UTC) of a member, key or grant. */
export interface HolderBudget {
  readonly name: "calls_per_day" | "writes_per_day"
  /** Id of the member, key or grant. */
  readonly holder: string
  readonly limit: number
}

/** Who sends a request. */
export interface Caller {
  /** Members take turns at a quota. */
  readonly member: string
  /** The `u` of RFC 9218, within a member: 0 is the most urgent. */
  readonly priority: number
  /** Leaves a tenth of each quota to others. */
  readonly isBackground?: boolean
  readonly connectionId: ConnectionId | undefined
  /** Milliseconds that the requests of the call may still wait. */
  waitMillis: number
  /** Budgets that have not counted the call yet. A call counts once, however many requests it sends. */
  budgets: ReadonlyArray<HolderBudget>
  /** The quota of the call's requests with the least left. */
  scarcest: ProviderQuota | undefined
}

const defaultWaitMillis = 5000
const backgroundWaitMillis = 60_000

/** The service itself, such as in the test of a connection. */
export const serviceCaller = (connectionId?: ConnectionId): Caller => ({
  member: "",
  priority: 3,
  connectionId,
  waitMillis: defaultWaitMillis,
  budgets: [],
  scarcest: undefined
})

/** Requests that nobody waits for. They leave a tenth of each window to others. */
export const backgroundCaller = (member: string, connectionId: ConnectionId): Caller => ({
  member,
  priority: 7,
  isBackground: true,
  connectionId,
  waitMillis: backgroundWaitMillis,
  budgets: [],
  scarcest: undefined
})

/** Seconds of `Prefer: wait=…` (RFC 7240): 0 to 60. What cannot be read is ignored. */
export const waitMillisOf = (prefer: string | undefined): number => {
  const seconds = /(?:^|[,;])\s*wait\s*=\s*"?(\d+)"?\s*(?=$|[,;])/i.exec(prefer ?? "")?.[1]
  return seconds === undefined ? defaultWaitMillis : Math.min(60, Number(seconds)) * 1000
}

/** `u` of `Priority` (RFC 9218). What cannot be read is the default. */
export const priorityOf = (priority: string | undefined): number =>
  Number(/(?:^|,)\s*u\s*=\s*([0-7])\s*(?=$|[,;])/.exec(priority ?? "")?.[1] ?? 3)

const noBudgets: ReadonlyArray<HolderBudget> = []

/** The budgets that a call counts to: that of its key or grant, and that of its member. */
export const budgetsOf = (principal: Principal, writes: boolean): ReadonlyArray<HolderBudget> => {
  const { budget = null, memberBudget = null, memberId } = principal
  if (budget === null && memberBudget === null) return noBudgets
  return [...limitsOf(rateSubjectOf(principal), budget, writes), ...limitsOf(memberId, memberBudget, writes)]
}

const limitsOf = (holder: string, budget: Budget, writes: boolean): ReadonlyArray<HolderBudget> => [
  ...budget?.calls_per_day === undefined
    ? []
    : [{ name: "calls_per_day" as const, holder, limit: budget.calls_per_day }],
  ...!writes || budget?.writes_per_day === undefined
    ? []
    : [{ name: "writes_per_day" as const, holder, limit: budget.writes_per_day }]
]
