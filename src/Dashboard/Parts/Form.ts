import { type FormEvent, useState } from "react"
import type { ServiceError } from "../Service/Service.ts"
import { fieldErrors } from "./FieldErrors.ts"

interface Request {
  readonly isPending: boolean
  readonly error: ServiceError | null
}

/**
 * The values of a form, by the names that the API gives them, so that an error of one of `requests` stands at its field.
 * `field` has what a field needs, `dialog` what a `FormDialog` needs.
 */
export const useForm = <Values extends object>(
  first: Values,
  requests: ReadonlyArray<Request>,
  submit: (values: Values) => void
) => {
  const [values, setValues] = useState(first)
  const set = (changes: Partial<Values>) => setValues({ ...values, ...changes })
  const error = requests.find(({ error }) => error !== null)?.error ?? null
  const errors = fieldErrors(error, Object.keys(first))
  return {
    values,
    set,
    errorOf: errors.of,
    hasError: (...names: ReadonlyArray<string>) => names.some((name) => errors.of(name) !== undefined),
    field: <Name extends keyof Values & string>(name: Name) => ({
      value: values[name],
      error: errors.of(name),
      onChange: (value: Values[Name]) => setValues({ ...values, [name]: value })
    }),
    dialog: {
      busy: requests.some(({ isPending }) => isPending),
      error: errors.unplaced,
      onSubmit: () => submit(values)
    }
  }
}

/** Submits a form without leaving the page. */
export const submitting = (submit: () => void) => (event: FormEvent) => {
  event.preventDefault()
  submit()
}

/** What a `Confirm` needs to send `input`. */
export const confirming = <I>(
  request: Request & { readonly mutate: (input: I, options: { readonly onSuccess: () => void }) => void },
  input: I,
  onSuccess = () => {}
) => ({ busy: request.isPending, error: request.error, onConfirm: () => request.mutate(input, { onSuccess }) })
