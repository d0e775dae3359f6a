import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { rmSync } from "node:fs"
import { join } from "node:path"
import type { Job, Report } from "./Runner.ts"

const crashed = "The process ended"

/** The next message, or why there is none. */
const next = async (child: ChildProcess, limit: number): Promise<Report | string> => {
  const done = new AbortController()
  const signal = AbortSignal.any([done.signal, AbortSignal.timeout(limit)])
  try {
    const ended = once(child, "exit", { signal }).then(() => [crashed])
    const [message] = await Promise.race([once(child, "message", { signal }), ended])
    return message
  } catch {
    return `Not done in ${Math.round(limit / 1000)} s`
  } finally {
    done.abort()
  }
}

/** A process of `Runner.ts`. Another one replaces it after a job that hung. */
export class TestProcess {
  readonly #tree: string
  #child: ChildProcess | undefined
  #temporary: string | undefined
  files: ReadonlyArray<string> = []

  constructor(tree: string) {
    this.#tree = tree
  }

  async start(): Promise<ChildProcess> {
    const child = fork(join(this.#tree, "scripts/mutants/Runner.ts"), {
      cwd: this.#tree,
      // A group of its own, so that its Postgres ends with it.
      detached: true,
      stdio: ["ignore", "ignore", "inherit", "ipc"]
    })
    this.#child = child
    const ready = await next(child, 120_000)
    if (typeof ready === "string" || "failures" in ready) throw new Error(`The tests do not start: ${String(ready)}`)
    this.files = ready.files
    this.#temporary = ready.temporary
    return child
  }

  /** The report, or why there is none. A crash of Node has to happen again. */
  async run(job: Job, limit: number): Promise<Report | string> {
    const report = await this.#tryToRun(job, limit)
    return report === crashed ? this.#tryToRun(job, limit) : report
  }

  async #tryToRun(job: Job, limit: number) {
    const child = this.#child ?? await this.start()
    child.send(job)
    const report = await next(child, limit)
    if (typeof report === "string") this.kill()
    return report
  }

  kill(): void {
    const pid = this.#child?.pid
    this.#child = undefined
    try {
      if (pid !== undefined) process.kill(-pid, "SIGKILL")
    } catch {
      // The group has ended.
    }
    if (this.#temporary !== undefined) rmSync(this.#temporary, { recursive: true, force: true })
  }

  async stop(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null) return
    child.disconnect()
    await once(child, "exit")
  }
}
