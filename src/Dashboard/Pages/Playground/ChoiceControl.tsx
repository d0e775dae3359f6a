import { Autocomplete } from "@base-ui/react/autocomplete"
import { useState } from "react"
import { type Choice, useChoices } from "./Choices.ts"
import type { ToolField } from "./ToolField.ts"

const maxListed = 100

/** What the account has, as a list that narrows while one types. Other text is sent as it is. */
export const ChoiceControl = ({ attributes, field: { account, input, name, required }, onText, text }: {
  readonly field: Pick<ToolField, "account" | "input" | "name" | "required">
  readonly attributes: { readonly id: string; readonly "aria-describedby": string | undefined }
  readonly text: string
  readonly onText: (text: string) => void
}) => {
  const [isUsed, setUsed] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const choices = useChoices({ ...account, field: name, input }, isUsed)
  return (
    <Autocomplete.Root
      items={choices}
      limit={maxListed}
      openOnInputClick
      open={isOpen && choices.length > 0}
      // Typing narrows the list, and does not open it over the rest of the form.
      onOpenChange={(next, { reason }) => setOpen(next && (isOpen || reason !== "input-change"))}
      required={required}
      itemToStringValue={({ value }: Choice) => value}
      filter={({ title, value }: Choice, query) =>
        query === text && choices.some((choice) => choice.value === text) ||
        `${title} ${value}`.toLowerCase().includes(query.toLowerCase())}
      value={text}
      onValueChange={onText}
    >
      <Autocomplete.Input {...attributes} placeholder="Choose or type" onFocus={() => setUsed(true)} />
      <Autocomplete.Portal>
        <Autocomplete.Positioner className="floating" align="start" sideOffset={4}>
          <Autocomplete.Popup className="options">
            <Autocomplete.Empty className="meta">
              {choices.length > 0 && "The account has no such one."}
            </Autocomplete.Empty>
            <Autocomplete.List aria-label={`What the account has as ${name}`}>
              {(choice: Choice) => (
                <Autocomplete.Item key={choice.value} value={choice}>
                  {choice.title ?? choice.value}
                  {choice.title !== undefined && <span className="meta">{choice.value}</span>}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  )
}
