export const hourInMillis = 3_600_000
export const dayInMillis = 86_400_000

/** A day as in "Mar 5", in UTC, as the service counts. */
export const shortDay = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", timeZone: "UTC" })
