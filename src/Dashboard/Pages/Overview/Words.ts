export const number = new Intl.NumberFormat()
const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 })
export const dollars = new Intl.NumberFormat(undefined, {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 4
})

export const share = (part: number, whole: number): string => whole === 0 ? "none" : percent.format(part / whole)

export const millis = (value: number | null): string =>
  value === null ? "none" : `${number.format(Math.round(value))} ms`
