import { Option, Schema } from "effect"
import type { KnownSecretsRedactor } from "../Redaction/KnownSecrets.ts"
import type { JsonText } from "./JsonText.ts"
import { isNestedTooDeeply } from "./Nesting.ts"

const MAX_PREVIEW = 2000

/** What a failure tells its caller of the body (section 7 of the contract); JSON that is nested too deeply is none. */
export const errorDetails = (text: string, body: JsonText | undefined, censor: KnownSecretsRedactor): Schema.Json =>
  body === undefined || isNestedTooDeeply(body.value)
    ? { body: beginning(censor.text(text), MAX_PREVIEW) }
    : censor.json(body.value)

const MAX_MESSAGE = 300

/**
 * What the provider itself says went wrong, on one line: Google's `error.message`, sitesearch's `Message`, an OAuth
 * endpoint's `error` and `error_description`.
 */
export const errorMessage = (details: Schema.Json): string | undefined => {
  const said = Option.getOrUndefined(decodeSaid(details))
  if (said === undefined || said === "") return undefined
  const line = said.replace(/[\s\p{Cc}]+/gu, " ").trim()
  return line.length > MAX_MESSAGE ? `${beginning(line, MAX_MESSAGE)}…` : line
}

const Said = Schema.Union([
  Schema.Struct({ error: Schema.Struct({ message: Schema.String }) }),
  Schema.Struct({ Message: Schema.String }),
  Schema.Struct({ error: Schema.String, error_description: Schema.optionalKey(Schema.String) })
])
const decodeSaid = (details: Schema.Json): Option.Option<string> =>
  Option.map(Schema.decodeUnknownOption(Said)(details), (said) => {
    if ("Message" in said) return said.Message
    if (typeof said.error !== "string") return said.error.message
    return "error_description" in said ? `${said.error}: ${said.error_description}` : said.error
  })

/** A cut through a surrogate pair leaves no half of it: a database may refuse text with one. */
const beginning = (text: string, length: number) => text.slice(0, length).toWellFormed()
