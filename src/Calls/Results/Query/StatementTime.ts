const windowMillis = 60_000

/** In a minute. */
const muchMillis = 10_000

/** The CPU time that the statements of members take, from minute to minute. */
export class StatementTime {
  readonly #now: () => number
  readonly #taken = new Map<string, number>()
  #start = -Infinity

  constructor(now = () => performance.now()) {
    this.#now = now
  }

  take(member: string, millis: number): void {
    this.#taken.set(member, this.#of(member) + millis)
  }

  isMuch(member: string): boolean {
    return this.#of(member) >= muchMillis
  }

  #of(member: string): number {
    const now = this.#now()
    if (now >= this.#start + windowMillis) {
      this.#start = now
      this.#taken.clear()
    }
    return this.#taken.get(member) ?? 0
  }
}
