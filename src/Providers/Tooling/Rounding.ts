import { Number } from "effect"

export const roundCount = (value: number): number => Number.round(value, 0)

export const roundRate = (value: number): number => Number.round(value, 4)

export const ratio = (part: number, whole: number): number | null => whole === 0 ? null : roundRate(part / whole)

export const roundPosition = (value: number): number => Number.round(value, 1)

export interface Ranked {
  readonly impressions: number
  readonly position: number
}

export const averagePosition = (rows: Iterable<Ranked>): number | null => {
  let impressions = 0
  let weighted = 0
  for (const row of rows) {
    impressions += row.impressions
    weighted += row.impressions * row.position
  }
  return impressions === 0 ? null : weighted / impressions
}
