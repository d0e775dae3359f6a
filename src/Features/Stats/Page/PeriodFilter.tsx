import { useState } from "react"
import { dayInMillis } from "../../../Dashboard/Parts/Day.ts"
import { SelectFilter } from "../../../Dashboard/Parts/Filters.tsx"
import { submitting } from "../../../Dashboard/Parts/Form.ts"
import { useUrlState } from "../../../Dashboard/Parts/UrlState.ts"
import { maxStatsDays } from "../../../Domain/Calls/Stats.ts"
import { chosenDays, endOf, periodNameOf, periodNames, periodOf } from "./Periods.ts"

/** The period that the address of the page names. */
export const usePeriod = () => {
  const [text, setPeriod] = useUrlState("period")
  const name = periodNameOf(text)
  return { name, period: periodOf(name, Date.now()), setPeriod }
}

const isoDay = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

const chosen = "days"

export const PeriodFilter = () => {
  const { name, period, setPeriod } = usePeriod()
  const now = Date.now()
  const days = chosenDays(isoDay(period.first), isoDay(endOf(period) - dayInMillis)) ?? ""
  const isChosen = name === days
  return (
    <>
      <SelectFilter
        label="Period"
        all={periodOf("", now).title}
        options={[
          ...periodNames.filter(Boolean).map((value) => ({ value, title: periodOf(value, now).title })),
          { value: chosen, title: "Days that I choose" }
        ]}
        value={isChosen ? chosen : name}
        onChange={(value) => setPeriod(value === chosen ? days : value)}
      />
      {isChosen && <Days key={days} days={days} onChoose={setPeriod} />}
    </>
  )
}

const Days = ({ days, onChoose }: { readonly days: string; readonly onChoose: (days: string) => void }) => {
  const [first = "", last = ""] = days.split("..")
  const [from, setFrom] = useState(first)
  const [to, setTo] = useState(last)
  const latest = Date.parse(from) + (maxStatsDays - 1) * dayInMillis
  return (
    <form className="days" aria-label="Days" onSubmit={submitting(() => onChoose(chosenDays(from, to) ?? days))}>
      <input
        type="date"
        aria-label="First day"
        required
        value={from}
        onChange={({ target }) => setFrom(target.value)}
      />
      <input
        type="date"
        aria-label="Last day"
        required
        min={from}
        max={Number.isNaN(latest) ? undefined : isoDay(latest)}
        value={to}
        onChange={({ target }) => setTo(target.value)}
      />
      <button type="submit">Show</button>
    </form>
  )
}
