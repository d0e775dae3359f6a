import { Context, Effect, Layer } from "effect"
import type { EventId } from "../../Domain/Ids.ts"
import type { Issue } from "../../Domain/Validation/Issue.ts"

/** An event as it is stored. `body` is the text of the format `standard`. */
export interface StoredEvent {
  readonly id: EventId
  readonly type: string
  readonly body: string
}

/** A format for a chat service, beside `standard`. Anyone who has the URL of a chat can post there. */
export interface TextFormat {
  readonly name: string
  /** Why the URL cannot receive events. `undefined` if it can. */
  readonly refusal: (url: URL) => string | undefined
  /** Where texts are posted, for the URL that the service gave. */
  readonly target: (url: URL) => URL
  /** The JSON text that is posted. */
  readonly write: (event: StoredEvent, url: URL) => Effect.Effect<string>
  /** The seconds until the next attempt, where the body of a response names them. */
  readonly waitOf: (body: string) => number | undefined
}

/** The formats of webhooks beside `standard`. Other features add them before deliveries begin. */
export class TextFormats extends Context.Service<TextFormats, {
  readonly add: (format: TextFormat) => Effect.Effect<void>
  readonly find: (name: string) => TextFormat | undefined
  /** Finds that this service does not have the format, or that the format does not take the URL. */
  readonly issues: (name: string, url: URL | undefined) => ReadonlyArray<Issue>
}>()("openaccounts/Features/Webhooks/TextFormats") {
  static readonly layer = Layer.sync(TextFormats, () => {
    const formats = new Map<string, TextFormat>()
    return TextFormats.of({
      add: (format) =>
        Effect.sync(() => {
          formats.set(format.name, format)
        }),
      find: (name) => formats.get(name),
      issues: (name, url) => {
        if (name === standard) return []
        const format = formats.get(name)
        if (format === undefined) {
          return [{ path: ["format"], message: `This service leaves out the format \`${name}\`` }]
        }
        const refusal = url && format.refusal(url)
        return refusal === undefined ? [] : [{ path: ["url"], message: refusal }]
      }
    })
  })
}

export const standard = "standard"
