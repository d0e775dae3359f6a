import { type ChangeEvent, useState } from "react"
import { Field } from "../../Parts/Field.tsx"
import type { ConnectMethod } from "./ConnectMethods.ts"

export type Credentials = Readonly<Record<string, string>> | undefined

const isKeyFile = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === "object" && value !== null && "client_email" in value && "private_key" in value

/** Nothing for methods that ask for the credentials elsewhere. */
export const CredentialsField = ({ error, method, onChange }: {
  readonly method: ConnectMethod
  readonly error: string | undefined
  readonly onChange: (credentials: Credentials) => void
}) => {
  const [fileError, setFileError] = useState<string>()
  const readFile = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    onChange(undefined)
    setFileError(undefined)
    if (!file) return
    try {
      const content: unknown = JSON.parse(await file.text())
      if (isKeyFile(content)) onChange(content)
      else setFileError("This JSON file has no client_email and private_key. Download a key of type JSON.")
    } catch {
      setFileError("This file is not JSON. Download a key of type JSON.")
    }
  }
  if (method === "sign_in" || method === "link") return null
  if (method === "service_account") {
    return (
      <Field
        label="Key file of the service account"
        help="A JSON file from the Google Cloud console: IAM, Service accounts, Keys. Share the property, spreadsheet or document with the address of the account first."
        error={fileError ?? error}
      >
        {(attributes) => (
          <input {...attributes} type="file" accept="application/json,.json" required onChange={readFile} />
        )}
      </Field>
    )
  }
  const [label, help, name] = method === "api_key"
    ? ["API key", "In Bing Webmaster Tools: Settings, API access, API key.", "api_key"]
    : ["Refresh token", "From an earlier sign-in with the same OAuth application.", "refresh_token"]
  return (
    <Field label={label} help={help} error={error}>
      {(attributes) => (
        <input
          {...attributes}
          required
          type="password"
          autoComplete="off"
          onChange={({ target: { value } }) => onChange(value === "" ? undefined : { [name]: value })}
        />
      )}
    </Field>
  )
}
