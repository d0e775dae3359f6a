import type { Reporter, TestModule, TestSpecification, Vitest } from "vitest/node"

/**
 * Says how many of how many test files have ended, and about how long the others take. On a terminal that is one line,
 * elsewhere a line for each tenth of the files.
 */
export class Progress implements Reporter {
  private readonly isTerminal = process.stderr.isTTY
  private left = new Map<string, number>()
  private files = 0
  private expected = 0
  private startedAt = 0
  private failed = 0
  private vitest: Vitest | undefined

  onInit(vitest: Vitest) {
    this.vitest = vitest
  }

  onTestRunStart(specifications: ReadonlyArray<TestSpecification>) {
    const durations = specifications.map((each) => this.vitest?.cache.getTestSpecificationResult(each)?.duration)
    const known = durations.filter((duration) => duration !== undefined)
    const average = known.length === 0 ? 1 : known.reduce((sum, duration) => sum + duration, 0) / known.length
    this.left = new Map(specifications.map(({ moduleId }, index) => [moduleId, durations[index] ?? average]))
    this.files = specifications.length
    this.expected = this.expectedLeft()
    this.failed = 0
    this.startedAt = performance.now()
  }

  onTestModuleEnd(module: TestModule) {
    this.left.delete(module.moduleId)
    if (!module.ok()) this.failed++
    const ended = this.files - this.left.size
    const isTenth = Math.floor(ended * 10 / this.files) > Math.floor((ended - 1) * 10 / this.files)
    if (this.isTerminal) process.stderr.write(`\r\u001b[K${this.line(ended)}${ended === this.files ? "\n" : ""}`)
    else if (isTenth && this.files > 10) process.stderr.write(`${this.line(ended)}\n`)
  }

  private line(ended: number) {
    const left = this.expectedLeft()
    const seconds = (performance.now() - this.startedAt) / 1000 * left / Math.max(1e-3, this.expected - left)
    const failures = this.failed === 0 ? "" : `, ${this.failed} with a failure`
    return `${ended} of ${this.files} test files${failures}; ${left === 0 ? "done" : `about ${time(seconds)} left`}`
  }

  private expectedLeft() {
    return this.left.values().reduce((sum, duration) => sum + duration, 0)
  }
}

const time = (seconds: number) => seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`
