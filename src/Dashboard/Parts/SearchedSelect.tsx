import { Combobox } from "@base-ui/react/combobox"

interface Option {
  readonly value: string
  readonly title: string
}

interface Props {
  readonly attributes: { readonly id?: string; readonly "aria-label"?: string }
  readonly options: ReadonlyArray<Option>
  readonly value: string
  /** The title of the option without a value. */
  readonly emptyTitle?: string | undefined
  readonly required?: boolean
  readonly onChange: (value: string) => void
}

const maxListed = 30

/** A list for many options, which shows those with the typed words. */
export const SearchedSelect = ({ attributes, emptyTitle, onChange, options, required = false, value }: Props) => {
  const items = [...emptyTitle === undefined ? [] : [{ value: "", title: emptyTitle }], ...options]
  return (
    <Combobox.Root
      items={items}
      autoHighlight
      limit={maxListed}
      required={required}
      itemToStringLabel={({ title }: Option) => title}
      itemToStringValue={({ value }: Option) => value}
      isItemEqualToValue={(one: Option, other: Option) => one.value === other.value}
      value={items.find((option) => option.value === value) ?? null}
      onValueChange={(option) => onChange(option?.value ?? "")}
    >
      <Combobox.Input {...attributes} placeholder={emptyTitle ?? "Search"} onFocus={({ target }) => target.select()} />
      <Combobox.Portal>
        <Combobox.Positioner className="floating" align="start" sideOffset={4}>
          <Combobox.Popup className="options">
            <Combobox.Empty className="meta">Nothing matches.</Combobox.Empty>
            <Combobox.List aria-label="Options">
              {(option: Option) => <Combobox.Item key={option.value} value={option}>{option.title}</Combobox.Item>}
            </Combobox.List>
            {items.length > maxListed && <p className="meta">The first {maxListed} that match. Type to search.</p>}
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}
