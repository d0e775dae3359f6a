import type { ReactNode } from "react"
import { maxEntries } from "../Service/Queries.ts"
import { type Option, Select } from "./Select.tsx"

export const SearchField = ({ label, list, onChange, placeholder = label, value }: {
  readonly label: string
  readonly list?: string
  readonly placeholder?: string
  readonly value: string
  readonly onChange: (value: string) => void
}) => (
  <input
    type="search"
    aria-label={label}
    aria-keyshortcuts="/"
    placeholder={placeholder}
    list={list}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
)

export const SelectFilter = ({ all, label, onChange, options, value }: {
  readonly label: string
  readonly all: string
  readonly options: ReadonlyArray<Option>
  readonly value: string
  readonly onChange: (value: string) => void
}) => (
  <Select attributes={{ "aria-label": label }} emptyTitle={all} options={options} value={value} onChange={onChange} />
)

export const Filters = ({ children, of, shown }: {
  readonly children: ReactNode
  readonly of?: ReadonlyArray<unknown> | undefined
  readonly shown?: ReadonlyArray<unknown> | undefined
}) => (
  <div className="filters" role="search">
    {children}
    {shown && (
      <span className="count" aria-live="polite">
        {shown.length.toLocaleString()}
        {of && of.length >= maxEntries && ` of the newest ${maxEntries.toLocaleString()}`}
      </span>
    )}
  </div>
)
