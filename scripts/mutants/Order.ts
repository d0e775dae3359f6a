import type { Place } from "./Plant.ts"

interface Timed {
  readonly file: string
  readonly milliseconds: number
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.match(/[A-Z]?[a-z]+/g)?.map((word) => word.toLowerCase()))

/**
 * Sorts test files by how likely they notice a mutant for the time they take: those first that share rare words with the
 * lines around it, above all in their names.
 */
export const makeOrder = (
  files: ReadonlyArray<Timed>,
  readTest: (file: string) => string,
  readSource: (file: string) => string
) => {
  const tests = new Map(files.map(({ file }) => [file, { named: wordsOf(file), all: wordsOf(file + readTest(file)) }]))
  const rarity = (word: string) => {
    const having = [...tests.values()].filter(({ all }) => all.has(word)).length
    return Math.log(tests.size / Math.max(1, having))
  }

  return (mutant: Place) => {
    const lines = readSource(mutant.file).split("\n").slice(Math.max(0, mutant.line - 3), mutant.line + 2)
    const words = [...wordsOf([mutant.file, ...lines].join(" "))].map((word) => ({ word, rare: rarity(word) }))
    const costOf = ({ file, milliseconds }: Timed) => {
      const test = tests.get(file)
      const shared = words.reduce(
        (sum, { rare, word }) => sum + (test?.all.has(word) ? rare : 0) + (test?.named.has(word) ? 2 * rare : 0),
        0
      )
      return (milliseconds + 500) / (1 + shared) ** 2
    }
    const costs = new Map(files.map((file) => [file.file, costOf(file)]))
    return (one: Timed, other: Timed) => (costs.get(one.file) ?? 0) - (costs.get(other.file) ?? 0)
  }
}
