import type { Result } from "effect"
import type { Request as RequestSchema } from "../../../../Providers/Gdocs/Generated.ts"
import type { Ids } from "./Ids.ts"
import type { Refusal } from "./Refusal.ts"
import type { DocumentState, Props } from "./State.ts"

export type Request = typeof RequestSchema.Type

export type Kind = keyof Request

export type Payload<K extends Kind> = Exclude<Request[K], undefined>

export interface Context {
  /** How the provider's messages about this request begin: `Invalid requests[0].insertText`. */
  readonly where: string
  readonly ids: Ids
}

export interface Step {
  readonly state: DocumentState
  readonly reply: Props
}

export type Handled = Result.Result<Step, Refusal>

export type Handler<K extends Kind> = (state: DocumentState, payload: Payload<K>, context: Context) => Handled

export type Handlers = { readonly [K in Kind]?: Handler<K> }

/** Most requests have an empty reply. */
export const done = (state: DocumentState, reply: Props = {}): Step => ({ state, reply })
