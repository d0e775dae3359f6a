import type { RawEndpoint, RawInput } from "./Provider.ts"

/** What the owner of an account reads before it is connected. */
export interface Consent {
  /** The product under the name that its users know. */
  readonly product: string
  /** These two follow "asks to". */
  readonly reads: string
  readonly writes: string
  /** What each scope allows, in the provider's words. */
  readonly scopes: Readonly<Record<string, string>>
  readonly signIn: { readonly text: string; readonly brand?: "google" }
  /** Where the owner ends the access. */
  readonly undo: { readonly text: string; readonly url: string }
  readonly apiKey?: { readonly steps: ReadonlyArray<string> }
  readonly invitation?: Invitation
}

/** How the owner gives a service account access, and the read that shows it. */
export interface Invitation {
  readonly steps: ReadonlyArray<string>
  readonly resource: { readonly label: string; readonly hint: string }
  /** The read of what the owner names; `undefined` where the text is of another form. */
  readonly read: (text: string) => Reading | undefined
}

export interface Reading {
  readonly endpoint: RawEndpoint
  readonly input: RawInput
}
