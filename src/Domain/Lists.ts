/*
 * A call takes some 100,000 arguments at most, and fails with more. So these take a list that a caller sizes, where
 * `Math.max(...list)` and `list.push(...more)` would fail.
 */

export const maxOf = (numbers: Iterable<number>, least = -Infinity): number => {
  let most = least
  for (const number of numbers) if (number > most) most = number
  return most
}

export const minOf = (numbers: Iterable<number>, most = Infinity): number => {
  let least = most
  for (const number of numbers) if (number < least) least = number
  return least
}

export const append = <A>(list: Array<A>, more: Iterable<A>): void => {
  for (const item of more) list.push(item)
}
