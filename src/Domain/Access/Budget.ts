import { Schema } from "effect"

const Calls = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 }))

export const Budget = Schema.NullOr(Schema.Struct({
  calls_per_day: Calls.annotate({ description: "Calls that may reach a provider, writes included." })
    .pipe(Schema.optionalKey),
  writes_per_day: Calls.annotate({ description: "Calls of operations that write." }).pipe(Schema.optionalKey)
})).annotate({
  description: "How many calls a day may reach a provider, until midnight UTC. `null` means no limit, 0 allows none. " +
    "That of a member covers all of its keys, grants and sessions."
})
export type Budget = typeof Budget.Type

export const budgetText = (budget: Budget): string | null => budget && JSON.stringify(budget)
