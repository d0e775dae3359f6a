import { Option, Schema } from "effect"
import { formatNamed } from "./AlertFormat.ts"

const decodeLimited = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ retry_after: Schema.Finite })))

/** Webhooks of a channel. They have no buttons, so the embed's title is the link. */
export const discord = formatNamed("discord", {
  payload: ({ facts, link, title }) => ({
    content: title,
    // Names in the text must not mention people.
    allowed_mentions: { parse: [] },
    embeds: [{ title: link.text, url: link.url, fields: facts.map(({ name, value }) => ({ name, value })) }]
  }),
  waitOf: (body) => Option.getOrUndefined(Option.map(decodeLimited(body), ({ retry_after }) => retry_after))
})
