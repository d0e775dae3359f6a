import type { ChangeEvent } from "react"
import { loadLater } from "../../Parts/LoadLater.tsx"
import { hasChoices } from "./Choices.ts"
import type { Property, ToolField } from "./ToolField.ts"

interface ControlProps {
  readonly field: ToolField
  readonly attributes: { readonly id: string; readonly "aria-describedby": string | undefined }
  readonly onChange: (value: unknown) => void
}

const ChoiceControl = loadLater(
  async () => (await import("./ChoiceControl.tsx")).ChoiceControl,
  <span className="placeholder" />
)

/** Fields of tools that take a day say so in their description. */
const isDate = ({ description, type }: Property) =>
  type === "string" && (description ?? "").includes("day, `YYYY-MM-DD`")

export const Control = ({ attributes, field, onChange }: ControlProps) => {
  const { account, input, name, property, required } = field
  const value = input[name]
  if (property.enum || property.type === "boolean") {
    const options = property.enum ?? [true, false]
    return (
      <select
        {...attributes}
        required={required}
        value={value === undefined ? "" : JSON.stringify(value)}
        onChange={(event) => onChange(event.target.value === "" ? undefined : JSON.parse(event.target.value))}
      >
        <option value="">
          {property.default === undefined ? "Choose" : `Default: ${JSON.stringify(property.default)}`}
        </option>
        {options.map((option) => (
          <option key={JSON.stringify(option)} value={JSON.stringify(option)}>{String(option)}</option>
        ))}
      </select>
    )
  }
  if (property.type === "integer" || property.type === "number") {
    return (
      <input
        {...attributes}
        type="number"
        required={required}
        min={property.minimum}
        max={property.maximum}
        step={property.type === "integer" ? 1 : "any"}
        value={typeof value === "number" ? value : ""}
        onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.valueAsNumber)}
      />
    )
  }
  if (property.type === "string") {
    const text = typeof value === "string" ? value : ""
    const set = (next: string) => onChange(next === "" ? undefined : next)
    if (hasChoices(account.provider, name)) {
      return <ChoiceControl field={field} attributes={attributes} text={text} onText={set} />
    }
    const control = {
      ...attributes,
      required,
      value: text,
      onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => set(target.value)
    }
    if (name === "end" || isDate(property)) return <input {...control} type="date" />
    return (property.maxLength ?? 0) > 1000 ? <textarea {...control} rows={6} /> : <input {...control} />
  }
  return <JsonControl field={field} attributes={attributes} onChange={onChange} />
}

/** Arrays and objects are written as JSON. Other text is sent as a string, and the service reports what it expects. */
const JsonControl = ({ attributes, field: { input, name, required }, onChange }: ControlProps) => (
  <textarea
    {...attributes}
    className="mono"
    rows={4}
    required={required}
    defaultValue={input[name] === undefined ? "" : JSON.stringify(input[name])}
    placeholder="JSON"
    onChange={({ target: { value: text } }) => {
      if (text.trim() === "") return onChange(undefined)
      try {
        onChange(JSON.parse(text))
      } catch {
        onChange(text)
      }
    }}
  />
)
