import { Option, Schema } from "effect"
import type { ReactNode } from "react"
import type { Issue } from "../../../Domain/Validation/Issue.ts"
import { Field } from "../../Parts/Field.tsx"
import { MoreOptions } from "../../Parts/MoreOptions.tsx"
import { Prose } from "../../Parts/Prose.tsx"
import { Control } from "./Control.tsx"
import { type Account, type Input, Property } from "./ToolField.ts"

const InputSchema = Schema.Struct({
  properties: Schema.optional(Schema.Record(Schema.String, Schema.Unknown)),
  required: Schema.optional(Schema.Array(Schema.String))
})

const decodeProperty = Schema.decodeUnknownOption(Property)
const decodeInput = Schema.decodeUnknownOption(InputSchema)

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

export const ToolForm = ({ account, children, input, issues, onChange, schema }: {
  readonly account: Account
  /** Fields that belong to every call. */
  readonly children?: ReactNode
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
  const names = Object.keys(properties)
  const shown = names.filter((name) => required.includes(name))
  const folded = names.filter((name) => !required.includes(name))
  const fieldOf = (name: string) => {
    const property = Option.getOrElse(decodeProperty(properties[name]), (): Property => ({}))
    return (
      <Field
        key={name}
        label={name}
        help={
          <>
            <Prose text={property.description ?? ""} /> <span className="limits">{limitsOf(property)}</span>
          </>
        }
        error={issueOf(name)}
      >
        {(attributes) => (
          <Control
            field={{ name, property, required: required.includes(name), account, input }}
            attributes={attributes}
            onChange={(next) => set(name, next)}
          />
        )}
      </Field>
    )
  }
  const hasMistake = folded.some((name) => issueOf(name) !== undefined)
  return (
    <div className="stack">
      {shown.map(fieldOf)}
      {names.length === 0 && <p className="muted">This tool takes no input.</p>}
      <MoreOptions
        count={folded.length + (children ? 1 : 0)}
        isOpen={hasMistake || folded.some((name) => name in input)}
      >
        {folded.map(fieldOf)}
        {children}
      </MoreOptions>
    </div>
  )
}
