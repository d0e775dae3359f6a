import type { JsonText } from "../../Domain/Json/JsonText.ts"

/** In characters or bytes. Beyond it, all bodies are dropped. */
const capacity = 16 * 1024 * 1024

export class RecentResponses {
  readonly #bodies = new Map<string, JsonText>()
  #length = 0

  get(name: string): JsonText | undefined {
    return this.#bodies.get(name)
  }

  set(name: string, body: JsonText): void {
    const before = this.get(name)
    if (body === before) return
    this.#length += body.length - (before?.length ?? 0)
    if (this.#length > capacity) {
      this.#bodies.clear()
      this.#length = body.length
    }
    this.#bodies.set(name, body)
  }
}
