export const number = new Intl.NumberFormat()
const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 })
export const dollars = new Intl.NumberFormat(undefined, {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 4
})

const notMeasured = "–"

export const share = (part: number, whole: number): string => whole === 0 ? notMeasured : percent.format(part / whole)

export const millis = (value: number | null): string =>
  value === null ? notMeasured : `${number.format(Math.round(value))} ms`

/** Latencies of several times cannot be added up, so these are the lowest and the highest. */
export const millisBetween = (values: ReadonlyArray<number>): string => {
  if (values.length === 0) return notMeasured
  const [low, high] = [Math.round(Math.min(...values)), Math.round(Math.max(...values))]
  return low === high ? millis(low) : `${number.format(low)}–${millis(high)}`
}
