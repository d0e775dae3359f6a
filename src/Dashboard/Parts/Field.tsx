import { type ReactNode, useId } from "react"

interface Props {
  readonly label: string
  readonly help?: ReactNode
  readonly mistake?: string | undefined
  readonly children: (attributes: {
    readonly id: string
    readonly "aria-describedby": string | undefined
    readonly "aria-invalid": boolean
  }) => ReactNode
}

/** A label, the control, a description below the label, and the mistake that the service found. */
export const Field = ({ children, help, label, mistake }: Props) => {
  const id = useId()
  const described = [help && `${id}-help`, mistake && `${id}-mistake`].filter(Boolean).join(" ")
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {help && <span className="help" id={`${id}-help`}>{help}</span>}
      {children({ id, "aria-describedby": described || undefined, "aria-invalid": mistake !== undefined })}
      {mistake !== undefined && <span className="mistake" id={`${id}-mistake`}>{mistake}</span>}
    </div>
  )
}
