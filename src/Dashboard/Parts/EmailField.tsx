import { TextField } from "./Field.tsx"

export const EmailField = (props: {
  readonly value: string
  readonly error?: string | undefined
  readonly autoFocus?: boolean
  readonly autoComplete?: "username"
  readonly onChange: (value: string) => void
}) => <TextField label="E-mail" type="email" required {...props} />
