import { existsSync, readFileSync } from "node:fs"
import type { TestContext } from "vitest"

/** Recorded provider traffic, outside the project because of its licences. */
const folder = new URL("../../../shared/fixtures/", import.meta.url)

/** Reads a recording. Without the recordings the test is skipped, in CI it fails. */
export const fixture = (context: TestContext, file: `${string}/${string}.json`): unknown => {
  if (!existsSync(folder) && process.env["CI"] === undefined) {
    context.skip("The recorded traffic in ../shared/fixtures is absent")
  }
  return JSON.parse(readFileSync(new URL(file, folder), "utf8"))
}
