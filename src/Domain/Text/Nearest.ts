export const nearest = <A>(
  wanted: string,
  candidates: ReadonlyArray<A>,
  textOf: (candidate: A) => string,
  count: number
): ReadonlyArray<A> =>
  candidates
    .map((candidate) => ({ candidate, far: distance(textOf(candidate).toLowerCase(), wanted.toLowerCase()) }))
    .toSorted((left, right) => left.far - right.far)
    .slice(0, count)
    .map(({ candidate }) => candidate)

/** In characters. The comparison takes quadratic time. */
const maxCompared = 100

const distance = (left: string, right: string): number => {
  const [from, to] = [left.slice(0, maxCompared), right.slice(0, maxCompared)]
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1]
    for (const [column, other] of [...to].entries()) {
      const cost = letter === other ? 0 : 1
      next.push(Math.min((next[column] ?? 0) + 1, (row[column + 1] ?? 0) + 1, (row[column] ?? 0) + cost))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
