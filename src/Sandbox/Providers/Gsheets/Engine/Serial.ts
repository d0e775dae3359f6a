const dayMillis = 86_400_000
const serialOfUnixEpoch = 25_569

export const serialOfDate = (year: number, month: number, day: number): number =>
  serialOfMillis(Date.UTC(year, month - 1, day))

export const serialOfTime = (hour: number, minute: number, second: number): number =>
  (hour * 3600 + minute * 60 + second) / 86_400

export const serialOfMillis = (millis: number): number => millis / dayMillis + serialOfUnixEpoch

/** The last time that a `Date` can have. */
const maxMillis = 8.64e15

/** The UTC fields of the result are the date and time of the serial number. */
export const dateOfSerial = (serial: number): Date => {
  const millis = Math.round((serial - serialOfUnixEpoch) * dayMillis)
  return new Date(Math.max(-maxMillis, Math.min(millis, maxMillis)))
}
