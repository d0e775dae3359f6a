import { Option, Schema } from "effect"
import type { Issue } from "../../../Domain/Validation/Issue.ts"
import { Field } from "../../Parts/Field.tsx"
import { Prose } from "../../Parts/Prose.tsx"

const Property = Schema.Struct({
  type: Schema.optional(Schema.Unknown),
  description: Schema.optional(Schema.String),
  enum: Schema.optional(Schema.Array(Schema.Unknown)),
  default: Schema.optional(Schema.Unknown),
  minimum: Schema.optional(Schema.Finite),
  maximum: Schema.optional(Schema.Finite),
  maxLength: Schema.optional(Schema.Finite),
  maxItems: Schema.optional(Schema.Finite)
})
type Property = typeof Property.Type

const InputSchema = Schema.Struct({
  properties: Schema.optional(Schema.Record(Schema.String, Schema.Unknown)),
  required: Schema.optional(Schema.Array(Schema.String))
})

const decodeProperty = Schema.decodeUnknownOption(Property)
const decodeInput = Schema.decodeUnknownOption(InputSchema)

export type Input = Readonly<Record<string, unknown>>

const limitsOf = ({ default: fallback, maxItems, maxLength, maximum, minimum }: Property): string =>
  [
    minimum !== undefined && maximum !== undefined
      ? `${minimum} to ${maximum}`
      : minimum !== undefined
      ? `at least ${minimum}`
      : maximum !== undefined && `at most ${maximum}`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    maxItems !== undefined && `at most ${maxItems} entries`,
    fallback !== undefined && `default ${JSON.stringify(fallback)}`
  ].filter(Boolean).join(", ").replace(/^./, (letter) => letter.toUpperCase())

export const ToolForm = ({ input, issues, onChange, schema }: {
  readonly schema: Readonly<Record<string, unknown>>
  readonly input: Input
  /** Paths start at the name of a property. */
  readonly issues: ReadonlyArray<Issue>
  readonly onChange: (input: Input) => void
}) => {
  const { properties = {}, required = [] } = Option.getOrElse(decodeInput(schema), (): typeof InputSchema.Type => ({}))
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...others } = input
    onChange(value === undefined ? others : { ...others, [name]: value })
  }
  const issueOf = (name: string) =>
    issues.filter(({ path: [first] }) => first === name)
      .map(({ message, path: [, ...below] }) => below.length === 0 ? message : `${below.join(".")}: ${message}`)[0]
  return (
    <div className="stack">
      {Object.entries(properties).map(([name, value]) => {
        const property = Option.getOrElse(decodeProperty(value), (): Property => ({}))
        const isRequired = required.includes(name)
        return (
          <Field
            key={name}
            label={isRequired ? name : `${name} (optional)`}
            help={
              <>
                <Prose text={property.description ?? ""} /> <span className="limits">{limitsOf(property)}</span>
              </>
            }
            error={issueOf(name)}
          >
            {(attributes) => (
              <Control
                attributes={attributes}
                property={property}
                required={isRequired}
                value={input[name]}
                onChange={(next) => set(name, next)}
              />
            )}
          </Field>
        )
      })}
      {Object.keys(properties).length === 0 && <p className="muted">This tool takes no input.</p>}
    </div>
  )
}

interface ControlProps {
  readonly attributes: { readonly id: string; readonly "aria-describedby": string | undefined }
  readonly property: Property
  readonly required: boolean
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

const isOneOf = (type: unknown, names: ReadonlyArray<string>) => names.some((name) => name === type)

const Control = ({ attributes, onChange, property, required, value }: ControlProps) => {
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
const JsonControl = ({ attributes, onChange, required, value }: Omit<ControlProps, "property">) => (
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
