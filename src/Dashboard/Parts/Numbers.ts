export const number = new Intl.NumberFormat()
const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 })

export const counted = (count: number, noun: string): string =>
  `${number.format(count)} ${noun}${count === 1 ? "" : "s"}`

/** Shown if there was nothing to measure. */
export const notMeasured = "none"

export const share = (part: number, whole: number): string => whole === 0 ? notMeasured : percent.format(part / whole)

export const millis = (value: number | null): string =>
  value === null ? notMeasured : `${number.format(Math.round(value))} ms`
