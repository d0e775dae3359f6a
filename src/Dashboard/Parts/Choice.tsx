import type { ReactNode } from "react"

interface Option<Value extends string> {
  readonly value: Value
  readonly title: string
  readonly help: ReactNode
}

export const Choice = <Value extends string>({ busy = false, error, label, name, onChange, options, value }: {
  readonly label: string
  readonly name: string
  readonly options: ReadonlyArray<Option<Value>>
  readonly value: Value
  /** Whether more options are loading. */
  readonly busy?: boolean
  readonly error?: string | undefined
  readonly onChange: (value: Value) => void
}) => (
  <fieldset className="field" aria-busy={busy}>
    <legend className="label">{label}</legend>
    {(busy ? options.slice(0, 1) : options).map((option) => (
      <label key={option.value} className="choice">
        <input
          type="radio"
          name={name}
          checked={option.value === value}
          onChange={() => onChange(option.value)}
        />
        <span>
          {option.title}
          <span className="help">{option.help}</span>
        </span>
      </label>
    ))}
    {error !== undefined && <span className="field-error" role="alert">{error}</span>}
  </fieldset>
)
