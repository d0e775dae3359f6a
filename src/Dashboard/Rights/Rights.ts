import type { Budget } from "../../Domain/Access/Budget.ts"
import type { Rights } from "../../Domain/Access/Rights.ts"
import { number } from "../Parts/Numbers.ts"

const isChanged = (before: unknown, after: unknown): boolean => JSON.stringify(before) !== JSON.stringify(after)

export const changedRights = (before: Rights, after: Rights): Partial<Rights> => ({
  ...isChanged(before.resources, after.resources) && { resources: after.resources },
  ...before.writes !== after.writes && { writes: after.writes },
  ...before.undo !== after.undo && { undo: after.undo },
  ...isChanged(before.budget, after.budget) && { budget: after.budget }
})

export const budgetWords = (budget: Budget): string =>
  [
    [budget?.calls_per_day, "calls a day"] as const,
    [budget?.writes_per_day, "writes a day"] as const
  ].flatMap(([count, words]) => count === undefined ? [] : [`${number.format(count)} ${words}`])
    .join(" · ")

/** Empty if nothing limits it. */
export const limitWords = (
  { access, budget, resources, writes }: Pick<Rights, "budget" | "resources" | "writes"> & { readonly access: string }
): string =>
  [
    ...access === "read_write" && writes === "ask" ? ["asks before each change"] : [],
    ...resources === null ? [] : [`${number.format(resources.length)} chosen`],
    budgetWords(budget)
  ].filter((words) => words !== "").join(" · ")
