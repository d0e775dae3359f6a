import { Option, Schema } from "effect"
import { NewEvent } from "../../../Declared/Event.ts"

const decodeMessage = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ type: Schema.String, data: Schema.Unknown }))
)
const decodeEvent = Schema.decodeUnknownOption(NewEvent)

/** The event of a stored body. None if this version does not know its type, or it is a test. */
export const eventOf = (body: string): { readonly type: string; readonly event: NewEvent | undefined } => {
  const message = decodeMessage(body)
  return { type: message.type, event: Option.getOrUndefined(decodeEvent(message)) }
}

export const connectionIdOf = ({ data }: NewEvent): string | undefined => {
  if ("connection" in data) return data.connection.id
  if ("approval" in data) return data.approval.connection_id
  return "dataset" in data ? data.dataset.connection_id : undefined
}
