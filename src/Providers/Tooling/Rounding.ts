import { Number } from "effect"

/** Providers give counts as floats, too. */
export const count = (value: number): number => Number.round(value, 0)

/** A fraction with 4 decimal places; 0.0123 is 1.23 %. */
export const rate = (value: number): number => Number.round(value, 4)

/** The rate that sums make; rates themselves are never averaged. Nothing out of nothing is unknown, not 0. */
export const ratio = (part: number, whole: number): number | null => whole === 0 ? null : rate(part / whole)

/** A position in the results, 1 the highest, with 1 decimal place. */
export const position = (value: number): number => Number.round(value, 1)

export interface Ranked {
  readonly impressions: number
  readonly position: number
}

/** The position of an average impression, not rounded; `null` without impressions. */
export const averagePosition = (rows: Iterable<Ranked>): number | null => {
  let impressions = 0
  let weighted = 0
  for (const row of rows) {
    impressions += row.impressions
    weighted += row.impressions * row.position
  }
  return impressions === 0 ? null : weighted / impressions
}
