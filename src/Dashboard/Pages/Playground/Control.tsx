import { Schema } from "effect"
import { loadLater } from "../../Parts/LoadLater.tsx"
import { hasChoices } from "./Choices.ts"
import type { Input } from "./Input.ts"

export const Property = Schema.Struct({
  type: Schema.optional(Schema.Unknown),
  description: Schema.optional(Schema.String),
  enum: Schema.optional(Schema.Array(Schema.Unknown)),
  default: Schema.optional(Schema.Unknown),
  minimum: Schema.optional(Schema.Finite),
  maximum: Schema.optional(Schema.Finite),
  maxLength: Schema.optional(Schema.Finite),
  maxItems: Schema.optional(Schema.Finite)
})
export type Property = typeof Property.Type

export interface Account {
  readonly provider: string
  /** `undefined` while several connections could be meant. */
  readonly connectionId: string | undefined
}

interface ControlProps {
  readonly name: string
  readonly account: Account
  readonly input: Input
  readonly attributes: { readonly id: string; readonly "aria-describedby": string | undefined }
  readonly property: Property
  readonly required: boolean
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

const ChoiceControl = loadLater(
  async () => (await import("./ChoiceControl.tsx")).ChoiceControl,
  <span className="placeholder" />
)

const isOneOf = (type: unknown, names: ReadonlyArray<string>) => names.some((name) => name === type)

/** Fields of tools that take a day say so in their description. */
const isDate = ({ description, type }: Property) =>
  type === "string" && (description ?? "").includes("day, `YYYY-MM-DD`")

export const Control = (props: ControlProps) => {
  const { account, attributes, input, name, onChange, property, required, value } = props
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
  if (isOneOf(property.type, ["integer", "number"])) {
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
      return (
        <ChoiceControl
          account={account}
          attributes={attributes}
          input={input}
          name={name}
          required={required}
          text={text}
          onText={set}
        />
      )
    }
    if (name === "end" || isDate(property)) {
      return (
        <input
          {...attributes}
          type="date"
          required={required}
          value={text}
          onChange={(event) => set(event.target.value)}
        />
      )
    }
    return (property.maxLength ?? 0) > 1000
      ? (
        <textarea
          {...attributes}
          rows={6}
          required={required}
          value={text}
          onChange={(event) => set(event.target.value)}
        />
      )
      : <input {...attributes} required={required} value={text} onChange={(event) => set(event.target.value)} />
  }
  return <JsonControl attributes={attributes} required={required} value={value} onChange={onChange} />
}

/** Arrays and objects are written as JSON. Other text is sent as a string, and the service reports what it expects. */
const JsonControl = (
  { attributes, onChange, required, value }: Pick<ControlProps, "attributes" | "onChange" | "required" | "value">
) => (
  <textarea
    {...attributes}
    className="mono"
    rows={4}
    required={required}
    defaultValue={value === undefined ? "" : JSON.stringify(value)}
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
