import { useState } from "react"
import { SearchField } from "./Filters.tsx"
import { matches } from "./Matches.ts"
import type { Option } from "./Select.tsx"

const maxShown = 12
const maxFound = 100

export const CheckList = <Value extends string>(
  { all = false, empty, error, expected = 1, label, onChange, options, value: chosen }: {
    readonly label: string
    readonly options: ReadonlyArray<Option<Value>> | undefined
    readonly value: ReadonlyArray<Value>
    readonly empty?: string
    /** How many options there may be, until they are loaded. */
    readonly expected?: number
    readonly error?: string | undefined
    /** Whether one click can tick all options. */
    readonly all?: boolean
    readonly onChange: (chosen: ReadonlyArray<Value>) => void
  }
) => {
  const [search, setSearch] = useState("")
  const [first] = useState(() => new Set<string>(chosen))
  const ordered = options?.toSorted((one, other) => Number(first.has(other.value)) - Number(first.has(one.value)))
  const found = ordered?.filter(({ title, value }) => matches(search, [title, value])) ?? []
  const shown = found.slice(0, search === "" ? Math.max(maxShown, Math.min(first.size, maxFound)) : maxFound)
  const values = found.map(({ value }) => value)
  const hasAll = values.every((value) => chosen.includes(value))
  const without = (left: ReadonlyArray<Value>) => chosen.filter((each) => !left.includes(each))
  const toggle = (value: Value, isChosen: boolean) => onChange(isChosen ? [...chosen, value] : without([value]))
  return (
    <fieldset className="field check-list" aria-busy={options === undefined}>
      <legend className="label">{label}</legend>
      {options && options.length > maxShown && (
        <SearchField label={`Search ${options.length.toLocaleString()}`} value={search} onChange={setSearch} />
      )}
      {options === undefined && Array.from({ length: expected }, (_, index) => (
        <span key={index} className="row-of">
          <span className="placeholder" />
          &nbsp;
        </span>
      ))}
      {shown.map(({ title, value }) => (
        <label key={value} className="row-of">
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={(event) => toggle(value, event.target.checked)}
          />
          <bdi title={value === title ? undefined : value}>{title}</bdi>
        </label>
      ))}
      {found.length > shown.length && (
        <p className="meta">{(found.length - shown.length).toLocaleString()} more: search for them.</p>
      )}
      {options && options.length > 0 && (
        <p className="row-of spread meta">
          <span aria-live="polite">{chosen.length} chosen</span>
          {all && values.length > 1 && (
            <button
              type="button"
              className="small quiet"
              onClick={() => onChange(hasAll ? without(values) : [...new Set([...chosen, ...values])])}
            >
              {hasAll ? "Untick all" : "Tick all"}
            </button>
          )}
        </p>
      )}
      {options?.length === 0 && <p className="muted">{empty}</p>}
      {error !== undefined && <span className="field-error" role="alert">{error}</span>}
    </fieldset>
  )
}
