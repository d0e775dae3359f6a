import { DateTime, Effect } from "effect"
import { type Day, dayOf, isDay, isoOf, monthsBefore, today } from "../../Data/Day.ts"
import { knownShare } from "../../Data/Portfolio.ts"
import { type GoogleError, invalidArgument } from "../Google/GoogleError.ts"
import type { Property } from "./Properties.ts"
import type { RunRealtimeReportRequest, RunReportRequest } from "./ReportRequest.ts"
import { minutesAgoOf, type Session, sessionsOf } from "./Sessions.ts"

export interface SessionRange {
  readonly name: string
  readonly sessions: () => Iterable<Session>
}

const historyMonths = 26

const hoursOfToday = 9

const earliestDay = "2015-08-14"

const maxDateRanges = 4

export const resolveDateRanges = Effect.fnUntraced(function*(
  property: Property,
  { dateRanges = [] }: RunReportRequest
): Effect.fn.Return<ReadonlyArray<SessionRange>, GoogleError> {
  if (dateRanges.length === 0) return yield* invalidArgument("A dateRange is required.")
  if (dateRanges.length > maxDateRanges) {
    return yield* invalidArgument(`Requests are limited to ${maxDateRanges} dateRanges; got ${dateRanges.length}.`)
  }
  const current = yield* today(DateTime.zoneMakeNamedUnsafe(property.timeZone))
  return yield* Effect.forEach(
    dateRanges,
    Effect.fnUntraced(function*({ endDate = "", name, startDate = "" }, index) {
      const [start, end] = [
        yield* resolveDay("startDate", startDate, current),
        yield* resolveDay("endDate", endDate, current)
      ]
      if (start > end) {
        return yield* invalidArgument(`The startDate ${isoOf(start)} must not be after the endDate ${isoOf(end)}.`)
      }
      return { name: yield* rangeName(name, index), sessions: () => sessionsBetween(property, start, end, current) }
    })
  )
})

const resolveDay = (field: string, text: string, current: Day): Effect.Effect<Day, GoogleError> => {
  const ago = text === "today" ? 0 : text === "yesterday" ? 1 : Number(/^(\d+)daysAgo$/.exec(text)?.[1] ?? Number.NaN)
  if (!Number.isNaN(ago)) return Effect.succeed(current - ago)
  if (!isDay(text)) {
    return Effect.fail(
      invalidArgument(`Invalid ${field} : ${text}. Expected YYYY-MM-DD, NdaysAgo, yesterday or today.`)
    )
  }
  return text < earliestDay
    ? Effect.fail(invalidArgument(`Invalid ${field} : ${text}. It must not be before ${earliestDay}.`))
    : Effect.succeed(dayOf(text))
}

const rangeName = (name: string | undefined, index: number): Effect.Effect<string, GoogleError> =>
  name !== undefined && /^(?:date_range_|RESERVED_)/.test(name)
    ? Effect.fail(invalidArgument(`The name ${name} of a range must not begin with date_range_ or RESERVED_.`))
    : Effect.succeed(name ?? `date_range_${index}`)

function* sessionsBetween(property: Property, start: Day, end: Day, current: Day): Generator<Session> {
  const first = Math.max(start, monthsBefore(current, historyMonths))
  for (let day = first; day <= Math.min(end, current); day++) {
    for (const session of sessionsOf(property, day, knownShare(day, current))) {
      if (day < current || session.hour < hoursOfToday) yield session
    }
  }
}

const maxMinuteRanges = 2
const realtimeMinutes = 30

export const resolveMinuteRanges = Effect.fnUntraced(function*(
  property: Property,
  { minuteRanges = [{}] }: RunRealtimeReportRequest
): Effect.fn.Return<ReadonlyArray<SessionRange>, GoogleError> {
  if (minuteRanges.length > maxMinuteRanges) {
    return yield* invalidArgument(
      `Requests are limited to ${maxMinuteRanges} minuteRanges; got ${minuteRanges.length}.`
    )
  }
  const current = yield* today(DateTime.zoneMakeNamedUnsafe(property.timeZone))
  return yield* Effect.forEach(
    minuteRanges,
    Effect.fnUntraced(function*({ endMinutesAgo = 0, name, startMinutesAgo = realtimeMinutes - 1 }, index) {
      if (endMinutesAgo < 0 || startMinutesAgo < endMinutesAgo || startMinutesAgo >= realtimeMinutes) {
        return yield* invalidArgument(
          `Invalid minuteRange: ${startMinutesAgo} to ${endMinutesAgo} minutes ago. Expected 29 to 0, the earlier first.`
        )
      }
      const inRange = (session: Session) => {
        const minutes = minutesAgoOf(session)
        return minutes !== undefined && minutes <= startMinutesAgo && minutes >= endMinutesAgo
      }
      return { name: yield* rangeName(name, index), sessions: () => sessionsOf(property, current).filter(inRange) }
    })
  )
})
