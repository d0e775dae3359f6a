import { Redacted } from "effect"

// The API's schemas accept a secret with its label only.

export const passwordOf = (text: string) => Redacted.make(text, { label: "password" })

export const linkTokenOf = (text: string) => Redacted.make(text, { label: "link token" })
