import { number } from "../../../Dashboard/Parts/Numbers.ts"

export const counted = (count: number, noun: string): string =>
  `${number.format(count)} ${noun}${count === 1 ? "" : "s"}`
