import { useState } from "react"
import { SearchField } from "./Filters.tsx"
import { matches } from "./Matches.ts"
import type { Option } from "./Select.tsx"

const maxShown = 12
const maxFound = 100

export const CheckList = ({ chosen, empty, label, onChange, options }: {
  readonly label: string
  readonly options: ReadonlyArray<Option> | undefined
  readonly chosen: ReadonlyArray<string>
  readonly empty: string
  readonly onChange: (chosen: ReadonlyArray<string>) => void
}) => {
  const [search, setSearch] = useState("")
  const [first] = useState(() => new Set(chosen))
  const ordered = options?.toSorted((one, other) => Number(first.has(other.value)) - Number(first.has(one.value)))
  const found = ordered?.filter(({ title, value }) => matches(search, [title, value])) ?? []
  const shown = found.slice(0, search === "" ? Math.max(maxShown, Math.min(first.size, maxFound)) : maxFound)
  const toggle = (value: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, value] : chosen.filter((each) => each !== value))
  return (
    <fieldset className="field check-list">
      <legend className="label">{label}</legend>
      {options && options.length > maxShown && (
        <SearchField label={`Search ${options.length.toLocaleString()}`} value={search} onChange={setSearch} />
      )}
      {shown.map(({ title, value }) => (
        <label key={value} className="row-of">
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={(event) => toggle(value, event.target.checked)}
          />
          <bdi>{title}</bdi>
        </label>
      ))}
      {found.length > shown.length && (
        <p className="meta">{(found.length - shown.length).toLocaleString()} more: search for them.</p>
      )}
      {options && options.length > 0 && <p className="meta" aria-live="polite">{chosen.length} chosen</p>}
      {options?.length === 0 && <p className="muted">{empty}</p>}
    </fieldset>
  )
}
