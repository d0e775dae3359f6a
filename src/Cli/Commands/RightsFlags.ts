import { Effect, Option } from "effect"
import { type Command, Flag } from "effect/cli"
import type { Rights } from "../../Domain/Access/Rights.ts"
import { choiceFlag, countFlag, switchFlag, valueOr } from "../Flags.ts"
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
  callsPerDay: countFlag("calls-per-day", "Calls a day that may reach a provider, until midnight UTC", "<count>"),
  writesPerDay: countFlag("writes-per-day", "Writes a day, until midnight UTC", "<count>")
}

/** Flags that remove limits. */
export const unlimitedFlags = {
  everything: switchFlag("all-resources", "Remove the limit of resources"),
  noBudget: switchFlag("no-budget", "Remove the budget. Otherwise the flags of the budget replace all of it")
}

export const rightsFlagNames =
  "--resource, --all-resources, --writes, --undo, --calls-per-day, --writes-per-day or --no-budget"

type Flags<Config extends Command.Command.Config> = Command.Command.Config.Infer<Config>
type RightsFlags = Flags<typeof rightsFlags> & Partial<Flags<typeof unlimitedFlags>>

/** The bound as the field `resources` of the API. */
export const resourcesOf = ({ everything = false, resources }: Pick<RightsFlags, "everything" | "resources">) =>
  valueOr(everything, null, resources, "--all-resources or --resource")

/** The rights as fields of the API. */
export const rightsOf = Effect.fnUntraced(function*(
  { callsPerDay, noBudget = false, undo, writes, writesPerDay, ...bound }: RightsFlags
) {
  const budget = {
    ...Option.isSome(callsPerDay) && { calls_per_day: callsPerDay.value },
    ...Option.isSome(writesPerDay) && { writes_per_day: writesPerDay.value }
  }
  const given = Object.keys(budget).length > 0 ? budget : undefined
  return {
    resources: yield* resourcesOf(bound),
    writes,
    undo,
    budget: yield* valueOr(noBudget, null, given, "--no-budget or --calls-per-day and --writes-per-day")
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
