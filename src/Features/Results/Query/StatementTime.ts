const windowMillis = 60_000

/** A member with less is forgotten at the end of a window. */
const leastMillis = 100

/** The CPU time in milliseconds that the statements of members have taken lately. It halves every minute. */
export class StatementTime {
  readonly #now: () => number
  readonly #taken = new Map<string, number>()
  #start: number

  constructor(now = () => performance.now()) {
    this.#now = now
    this.#start = now()
  }

  take(member: string, millis: number): void {
    this.#taken.set(member, Math.max(0, this.of(member) + millis))
  }

  of(member: string): number {
    const windows = Math.floor((this.#now() - this.#start) / windowMillis)
    if (windows > 0) {
      this.#start += windows * windowMillis
      for (const [each, millis] of this.#taken) {
        const left = millis / 2 ** windows
        if (left < leastMillis) this.#taken.delete(each)
        else this.#taken.set(each, left)
      }
    }
    return this.#taken.get(member) ?? 0
  }
}
