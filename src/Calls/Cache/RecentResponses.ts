import type { JsonText } from "../../Domain/Json/JsonText.ts"

interface Recent {
  /** The version of the row that had the body. */
  readonly version: string
  readonly body: JsonText
}

/** The approximate limit of the responses' memory, in bytes. */
const capacity = 16 * 1024 * 1024

const bytesOf = (name: string, { body }: Recent): number => 2 * body.length + name.length + 256

/** Bodies that this instance has decrypted. At capacity, forgets those that were served least recently. */
export class RecentResponses {
  readonly #all = new Map<string, Recent>()
  #bytes = 0

  get(name: string): Recent | undefined {
    const recent = this.#all.get(name)
    if (recent !== undefined) {
      this.#all.delete(name)
      this.#all.set(name, recent)
    }
    return recent
  }

  set(name: string, recent: Recent): void {
    this.delete(name)
    this.#all.set(name, recent)
    this.#bytes += bytesOf(name, recent)
    for (const [oldest] of this.#all) {
      if (this.#bytes <= capacity) return
      this.delete(oldest)
    }
  }

  delete(name: string): void {
    const recent = this.#all.get(name)
    if (recent === undefined) return
    this.#all.delete(name)
    this.#bytes -= bytesOf(name, recent)
  }

  clear(): void {
    this.#all.clear()
    this.#bytes = 0
  }
}
