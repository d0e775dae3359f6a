export interface Moment {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly millisecond: number
  readonly weekday: number
}

const dayMillis = 86_400_000
const serialOfUnixEpoch = 25_569

/** `month` counts from 1. Months and days overflow, as in the function DATE. */
export const serialOfDate = (year: number, month: number, day: number): number =>
  Date.UTC(year, month - 1, day) / dayMillis + serialOfUnixEpoch

export const serialOfTime = (hour: number, minute: number, second: number): number =>
  (hour * 3600 + minute * 60 + second) / 86_400

export const serialOfMillis = (millis: number): number => millis / dayMillis + serialOfUnixEpoch

export const isRealDate = (year: number, month: number, day: number): boolean => {
  const moment = momentOf(serialOfDate(year, month, day))
  return moment.year === year && moment.month === month && moment.day === day
}

/** The last time that a `Date` can have. */
const maxMillis = 8.64e15

export const momentOf = (serial: number): Moment => {
  const millis = Math.round((serial - serialOfUnixEpoch) * dayMillis)
  const date = new Date(Math.max(-maxMillis, Math.min(millis, maxMillis)))
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millisecond: date.getUTCMilliseconds(),
    weekday: date.getUTCDay()
  }
}
