import { type InputHTMLAttributes, type ReactNode, useId } from "react"

export interface ControlAttributes {
  readonly id: string
  readonly "aria-describedby": string | undefined
  readonly "aria-invalid": boolean
}

interface Props {
  readonly label: string
  readonly help?: ReactNode
  readonly error?: string | undefined
  readonly children: (attributes: ControlAttributes) => ReactNode
}

export const Field = ({ children, error, help, label }: Props) => {
  const id = useId()
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(" ")
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {help && <span className="help" id={`${id}-help`}>{help}</span>}
      {children({ id, "aria-describedby": described || undefined, "aria-invalid": error !== undefined })}
      {error !== undefined && <span className="field-error" id={`${id}-error`}>{error}</span>}
    </div>
  )
}

export const TextField = ({ error, help, label, onChange, ...input }:
  & Omit<Props, "children">
  & Omit<InputHTMLAttributes<HTMLInputElement>, "onChange">
  & { readonly value: string; readonly onChange: (value: string) => void }) => (
  <Field label={label} help={help} error={error}>
    {(attributes) => (
      <input
        {...attributes}
        {...input}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
)
