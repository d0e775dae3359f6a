import type { Result } from "effect"
import type { Request as RequestMessage } from "../../../../../Providers/Gdocs/Generated.ts"
import type { GoogleError } from "../../../Google/GoogleError.ts"
import type { Document, IdGenerator } from "../Document.ts"
import type { JsonObject } from "../Json.ts"

export type Request = typeof RequestMessage.Type
export type Kind = keyof Request
export type Payload<K extends Kind> = Exclude<Request[K], undefined>

export interface Applied {
  readonly document: Document
  readonly reply: JsonObject
}

export type HandlerResult = Result.Result<Applied, GoogleError>

export type RequestHandler<K extends Kind> = (
  document: Document,
  payload: Payload<K>,
  ids: IdGenerator
) => HandlerResult

export type RequestHandlers = { readonly [K in Kind]?: RequestHandler<K> }

export const applied = (document: Document, reply: JsonObject = {}): Applied => ({ document, reply })
