import { SelectFilter } from "../../../Dashboard/Parts/Filters.tsx"
import { useUrlState } from "../../../Dashboard/Parts/UrlState.ts"
import { periodNameOf, periodNames, periodOf } from "./Periods.ts"

/** The period that the address of the page names. */
export const usePeriod = () => {
  const [text, setPeriod] = useUrlState("period")
  const name = periodNameOf(text)
  return { name, period: periodOf(name, Date.now()), setPeriod }
}

export const PeriodFilter = () => {
  const { name, setPeriod } = usePeriod()
  const now = Date.now()
  return (
    <SelectFilter
      label="Period"
      all={periodOf("", now).title}
      options={periodNames.filter(Boolean).map((value) => ({ value, title: periodOf(value, now).title }))}
      value={name}
      onChange={setPeriod}
    />
  )
}
