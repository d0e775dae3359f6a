import { type ChangeEvent, type KeyboardEvent, useId, useState } from "react"
import { Field } from "./Field.tsx"
import { matches } from "./Matches.ts"

export interface Option {
  readonly value: string
  readonly title: string
}

export const namedOptions = (
  entries: ReadonlyArray<{ readonly id: string; readonly name: string }> = []
): ReadonlyArray<Option> => entries.map(({ id, name }) => ({ value: id, title: name }))

interface Props {
  readonly attributes: {
    readonly id?: string
    readonly "aria-label"?: string
    readonly "aria-describedby"?: string | undefined
  }
  readonly options: ReadonlyArray<Option>
  readonly value: string
  readonly none?: string | undefined
  readonly required?: boolean
  readonly onChange: (value: string) => void
}

const maxListed = 30

export const Select = (props: Props) => {
  const { attributes, none, onChange, required = false, value } = props
  const isListed = value === "" || props.options.some((option) => option.value === value)
  // A value from the URL may not be listed, or not yet.
  const options = isListed ? props.options : [...props.options, { value, title: value }]
  if (options.length > maxListed) return <SearchedSelect {...props} options={options} />
  return (
    <select
      {...attributes}
      required={required}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {none !== undefined && <option value="">{none}</option>}
      {options.map(({ title, value }) => <option key={value} value={value}>{title}</option>)}
    </select>
  )
}

export const SelectField = ({ error, help, label, ...select }: Omit<Props, "attributes"> & {
  readonly label: string
  readonly help?: string
  readonly error?: string | undefined
}) => (
  <Field label={label} help={help} error={error}>
    {(attributes) => <Select attributes={attributes} {...select} />}
  </Field>
)

const SearchedSelect = ({ attributes, none, onChange, options, required = false, value }: Props) => {
  const listId = useId()
  const [text, setText] = useState<string>()
  const [active, setActive] = useState(0)
  const isOpen = text !== undefined
  const chosen = options.find((option) => option.value === value)
  const found = isOpen ? options.filter(({ title }) => matches(text, [title])) : []
  const listed = [
    ...none !== undefined && text === "" ? [{ value: "", title: none }] : [],
    ...found.slice(0, maxListed)
  ]
  const choose = (option: Option | undefined) => {
    if (option) onChange(option.value)
    setText(undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      if (isOpen) setActive((active + step + listed.length) % Math.max(1, listed.length))
      else setText("")
    } else if (isOpen && event.key === "Enter") {
      event.preventDefault()
      choose(listed[active])
    } else if (isOpen && event.key === "Escape") {
      event.preventDefault()
      event.stopPropagation()
      setText(undefined)
    }
  }
  const search = (event: ChangeEvent<HTMLInputElement>) => {
    setText(event.target.value)
    setActive(0)
  }
  return (
    <span className="searched-select">
      <input
        {...attributes}
        role="combobox"
        autoComplete="off"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={isOpen && listed[active] ? `${listId}-${active}` : undefined}
        required={required}
        placeholder={none ?? "Search"}
        value={text ?? chosen?.title ?? ""}
        onFocus={({ target }) => target.select()}
        onClick={() => setText(text ?? "")}
        onBlur={() => setText(undefined)}
        onChange={search}
        onKeyDown={onKeyDown}
      />
      <ul id={listId} role="listbox" aria-label="Options" hidden={!isOpen}>
        {listed.map((option, index) => (
          <li
            key={option.value}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === active}
            // Runs before the blur, which closes the list.
            onMouseDown={(event) => {
              event.preventDefault()
              choose(option)
            }}
          >
            {option.title}
          </li>
        ))}
        {found.length > maxListed && (
          <li className="meta" role="presentation">
            {(found.length - maxListed).toLocaleString()} more: type to search
          </li>
        )}
        {listed.length === 0 && <li className="meta" role="presentation">Nothing matches.</li>}
      </ul>
    </span>
  )
}
