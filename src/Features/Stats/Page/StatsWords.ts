import { millis, notMeasured, number } from "../../../Dashboard/Parts/Numbers.ts"
import { maxOf, minOf } from "../../../Domain/Lists.ts"

export const dollars = new Intl.NumberFormat(undefined, {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 4
})

/** Latencies of several times cannot be added up, so these are the lowest and the highest. */
export const millisBetween = (values: ReadonlyArray<number>): string => {
  if (values.length === 0) return notMeasured
  const [low, high] = [Math.round(minOf(values)), Math.round(maxOf(values))]
  return low === high ? millis(low) : `${number.format(low)}–${millis(high)}`
}

const wholePercent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 })
const points = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

interface Change {
  readonly direction?: "up" | "down"
  readonly sign: string
  /** Goes on with the name of the earlier time. */
  readonly spoken: string
}

const arrows = { up: "↑", down: "↓" } as const

/** A share changes by points. `null` is a time without calls, which nothing is compared with. */
export const changeOf = (now: number | null, before: number | null, isShare = false): Change | undefined => {
  if (before === null || now === null) return undefined
  if (before === 0 && now > 0 && !isShare) {
    return { direction: "up", sign: `${arrows.up} from 0`, spoken: "up from 0 in" }
  }
  const change = isShare ? 100 * (now - before) : before === 0 ? 0 : now / before - 1
  const amount = isShare ? `${points.format(Math.abs(change))} points` : wholePercent.format(Math.abs(change))
  if (Math.round(Math.abs(change) * (isShare ? 10 : 100)) === 0) return { sign: "same", spoken: "the same as in" }
  const direction = change > 0 ? "up" : "down"
  return { direction, sign: `${arrows[direction]} ${amount}`, spoken: `${direction} ${amount} from` }
}
