import type { Budget } from "../../Domain/Access/Budget.ts"
import { type Principal, rateSubjectOf } from "../../Domain/Access/Principal.ts"
import type { HolderBudget } from "./Caller.ts"

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
