import type { JsonText } from "../../Domain/JsonText.ts"

/** How much is remembered, in characters; before it is more, all is forgotten, and comes from the database once again. */
const capacity = 16 * 1024 * 1024

/**
 * The bodies that the cache has served lately, by the names of their keys. Whether one may be served again only the
 * database knows; but it need not send it again.
 */
export class RecentResponses {
  readonly #bodies = new Map<string, JsonText>()
  #length = 0

  get(name: string): JsonText | undefined {
    return this.#bodies.get(name)
  }

  set(name: string, body: JsonText): void {
    const before = this.get(name)
    if (body === before) return
    this.#length += body.text.length - (before?.text.length ?? 0)
    if (this.#length > capacity) {
      this.#bodies.clear()
      this.#length = body.text.length
    }
    this.#bodies.set(name, body)
  }
}
