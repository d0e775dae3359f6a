import type { ReactNode } from "react"

export const SearchField = ({ label, onChange, value }: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}) => (
  <input
    type="search"
    aria-label={label}
    placeholder={label}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
)

interface Option {
  readonly value: string
  readonly title: string
}

export const SelectFilter = ({ all, label, onChange, options, value }: {
  readonly label: string
  /** The choice without a filter. */
  readonly all: string
  readonly options: ReadonlyArray<Option>
  readonly value: string
  readonly onChange: (value: string) => void
}) => (
  <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
    <option value="">{all}</option>
    {options.map(({ title, value }) => <option key={value} value={value}>{title}</option>)}
  </select>
)

export const Filters = ({ children, count }: { readonly children: ReactNode; readonly count: number | undefined }) => (
  <div className="filters" role="search">
    {children}
    {count !== undefined && <span className="count" aria-live="polite">{count.toLocaleString()}</span>}
  </div>
)

/** Whether one of the texts contains the words that were searched for, in any case. */
export const matches = (wanted: string, texts: ReadonlyArray<string | null>): boolean => {
  const words = wanted.trim().toLocaleLowerCase()
  return words === "" || texts.some((text) => text?.toLocaleLowerCase().includes(words))
}
