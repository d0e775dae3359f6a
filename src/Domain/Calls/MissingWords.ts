import type { ShownChanges } from "./Change.ts"

export const counted = (count: number, what: string): string =>
  `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`

/** What is not shown of truncated changes, for people. */
export const missingWords = (
  { not_shown: { cells, changes, characters } }: Pick<ShownChanges, "not_shown">
): string => {
  const counts = Object.entries({ change: changes, cell: cells, character: characters })
    .flatMap(([what, count]) => count === 0 ? [] : [counted(count, what)])
  return counts.length === 0 ? "some of what is there now" : new Intl.ListFormat("en").format(counts)
}
