import type { JsonText } from "../../Domain/Json/JsonText.ts"

interface Recent {
  /** Of the row that had the body. */
  readonly version: string
  readonly body: JsonText
}

/** In characters or bytes of all bodies. */
const capacity = 16 * 1024 * 1024

/** Bodies that an instance has decrypted. At its capacity, it forgets the oldest. */
export class RecentResponses {
  readonly #all = new Map<string, Recent>()
  #length = 0

  get(name: string): Recent | undefined {
    return this.#all.get(name)
  }

  set(name: string, recent: Recent): void {
    this.#length += recent.body.length - (this.get(name)?.body.length ?? 0)
    this.#all.delete(name)
    this.#all.set(name, recent)
    for (const [oldest, { body }] of this.#all) {
      if (this.#length <= capacity) return
      this.#all.delete(oldest)
      this.#length -= body.length
    }
  }
}
