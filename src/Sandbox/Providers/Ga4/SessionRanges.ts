import { DateTime, Effect } from "effect"
import type { RunRealtimeReportRequest } from "../../../Providers/Ga4/Generated.ts"
import { type Day, dayOf, monthsBefore, today } from "../../Data/Day.ts"
import { knownShare } from "../../Data/Portfolio.ts"
import { type GoogleError, invalidArgument } from "../Google/GoogleError.ts"
import type { Property } from "./Properties.ts"
import type { ReportRequest } from "./ReportRequest.ts"
import { minutesAgoOf, type Session, sessionsOf } from "./Sessions.ts"

export interface SessionRange {
  readonly name: string
  readonly sessions: () => Iterable<Session>
}

const historyMonths = 26

const hoursOfToday = 9

export const resolveDateRanges = Effect.fnUntraced(function*(
  property: Property,
  { dateRanges = [] }: ReportRequest
): Effect.fn.Return<ReadonlyArray<SessionRange>> {
  const current = yield* today(DateTime.zoneMakeNamedUnsafe(property.timeZone))
  return dateRanges.map(({ endDate, name, startDate }, index) => ({
    name: name ?? `date_range_${index}`,
    sessions: () => sessionsBetween(property, resolveDay(startDate, current), resolveDay(endDate, current), current)
  }))
})

const resolveDay = (text: string, current: Day): Day => {
  const ago = text === "today" ? "0" : text === "yesterday" ? "1" : /^(\d+)daysAgo$/.exec(text)?.[1]
  return ago === undefined ? dayOf(text) : current - Number(ago)
}

function* sessionsBetween(property: Property, start: Day, end: Day, current: Day): Generator<Session> {
  const first = Math.max(start, monthsBefore(current, historyMonths))
  for (let day = first; day <= Math.min(end, current); day++) {
    for (const session of sessionsOf(property, day, knownShare(day, current))) {
      if (day < current || session.hour < hoursOfToday) yield session
    }
  }
}

const realtimeMinutes = 30

export const resolveMinuteRanges = Effect.fnUntraced(function*(
  property: Property,
  { minuteRanges = [{}] }: typeof RunRealtimeReportRequest.Type
): Effect.fn.Return<ReadonlyArray<SessionRange>, GoogleError> {
  if (minuteRanges.some(({ startMinutesAgo = 0 }) => startMinutesAgo >= realtimeMinutes)) {
    return yield* invalidArgument("Properties of the sandbox have minuteRanges of the last 30 minutes.")
  }
  const current = yield* today(DateTime.zoneMakeNamedUnsafe(property.timeZone))
  return minuteRanges.map(({ endMinutesAgo = 0, name, startMinutesAgo = realtimeMinutes - 1 }, index) => {
    const inRange = (session: Session) => {
      const minutes = minutesAgoOf(session)
      return minutes !== undefined && minutes <= startMinutesAgo && minutes >= endMinutesAgo
    }
    return { name: name ?? `date_range_${index}`, sessions: () => sessionsOf(property, current).filter(inRange) }
  })
})
