import type { ComponentProps } from "react"
import { Field } from "./Field.tsx"
import { loadLater } from "./LoadLater.tsx"

export interface Option<Value extends string = string> {
  readonly value: Value
  readonly title: string
}

export const namedOptions = <Id extends string>(
  entries: ReadonlyArray<{ readonly id: Id; readonly name: string }> = []
): ReadonlyArray<Option<Id>> => entries.map(({ id, name }) => ({ value: id, title: name }))

const SearchedSelect = loadLater(
  async () => (await import("./SearchedSelect.tsx")).SearchedSelect,
  <span className="placeholder control" />
)

const maxListed = 30

type Props = ComponentProps<typeof SearchedSelect>

/** The browser's own list, or for many options a list with a search. */
export const Select = (props: Props) => {
  const { attributes, emptyTitle, onChange, required = false, value } = props
  const isListed = value === "" || props.options.some((option) => option.value === value)
  // A value from the URL may not be listed, or not yet.
  const options = isListed ? props.options : [...props.options, { value, title: value }]
  if (options.length > maxListed) return <SearchedSelect {...props} options={options} />
  return (
    <select {...attributes} required={required} value={value} onChange={(event) => onChange(event.target.value)}>
      {emptyTitle !== undefined && <option value="">{emptyTitle}</option>}
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
