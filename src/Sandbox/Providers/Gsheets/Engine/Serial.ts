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

export const momentOf = (serial: number): Moment => {
  const millis = Math.round((serial - serialOfUnixEpoch) * dayMillis)
  const days = Math.floor(millis / dayMillis)
  const rest = millis - days * dayMillis
  return {
    ...dateOfDay(days),
    hour: Math.floor(rest / 3_600_000),
    minute: Math.floor(rest / 60_000) % 60,
    second: Math.floor(rest / 1000) % 60,
    millisecond: rest % 1000,
    weekday: (((days + 4) % 7) + 7) % 7
  }
}

/** https://howardhinnant.github.io/date_algorithms.html#civil_from_days */
const dateOfDay = (days: number) => {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1
  }
}
