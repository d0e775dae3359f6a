import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import type { Rights } from "../../Domain/Access/Rights.ts"
import { usageError } from "../Failure.ts"
import { choiceFlag, switchFlag } from "../Flags.ts"
import { resources } from "./Connection/Share.ts"

/** What keys and grants have in common. */
export const rightsFlags = {
  resources,
  writes: choiceFlag(
    "writes",
    ["allow", "ask"],
    "ask: a person approves each change in the dashboard before it is made"
  ),
  undo: Flag.Boolean("undo").pipe(
    Flag.withDescription("Keep what writes change for 72 hours, so that `oa undo` can take it back; --no-undo ends it"),
    Flag.optional
  ),
  callsPerDay: Flag.Int("calls-per-day").pipe(
    Flag.withMetavar("<count>"),
    Flag.withDescription("Calls a day that may reach a provider, until midnight UTC"),
    Flag.optional
  ),
  writesPerDay: Flag.Int("writes-per-day").pipe(
    Flag.withMetavar("<count>"),
    Flag.withDescription("Writes a day, until midnight UTC"),
    Flag.optional
  )
}

/** Flags that remove limits. */
export const unlimitedFlags = {
  everything: switchFlag("all-resources", "Remove the limit of resources"),
  noBudget: switchFlag("no-budget", "Remove the budget. Otherwise the flags of the budget replace all of it")
}

export const rightsFlagNames =
  "--resource, --all-resources, --writes, --undo, --calls-per-day, --writes-per-day or --no-budget"

interface RightsFlags {
  readonly resources: ReadonlyArray<string>
  readonly everything?: boolean
  readonly writes: Option.Option<"allow" | "ask">
  readonly undo: Option.Option<boolean>
  readonly callsPerDay: Option.Option<number>
  readonly writesPerDay: Option.Option<number>
  readonly noBudget?: boolean
}

/** The bound as the field `resources` of the API. */
export const resourcesOf = ({ everything = false, resources }: Pick<RightsFlags, "everything" | "resources">) => {
  if (!everything) return Effect.succeed(resources.length === 0 ? undefined : resources)
  return resources.length === 0
    ? Effect.succeed(null)
    : Effect.fail(usageError("Pass either --all-resources or --resource, not both"))
}

/** The rights as fields of the API. */
export const rightsOf = Effect.fnUntraced(function*(
  { callsPerDay, noBudget = false, undo, writes, writesPerDay, ...bound }: RightsFlags
) {
  const budget = {
    ...Option.isSome(callsPerDay) && { calls_per_day: callsPerDay.value },
    ...Option.isSome(writesPerDay) && { writes_per_day: writesPerDay.value }
  }
  const hasBudget = Object.keys(budget).length > 0
  if (noBudget && hasBudget) {
    return yield* usageError("Pass either --no-budget or --calls-per-day and --writes-per-day, not both")
  }
  return {
    resources: yield* resourcesOf(bound),
    writes,
    undo,
    budget: noBudget ? null : hasBudget ? budget : undefined
  }
})

/** Empty if nothing limits it. */
export const limitsText = ({ budget, resources, writes }: Omit<Rights, "undo">): string =>
  [
    ...writes === "ask" ? ["asks before writes"] : [],
    ...resources === null ? [] : resources.length === 0 ? ["no resources"] : resources,
    ...budget?.calls_per_day === undefined ? [] : [`${budget.calls_per_day} calls a day`],
    ...budget?.writes_per_day === undefined ? [] : [`${budget.writes_per_day} writes a day`]
  ].join("\n")
