import { existsSync, readFileSync } from "node:fs"
import type { TestContext } from "vitest"

/** Recorded provider traffic, outside of the project because of its licences. */
const folder = new URL("../../../shared/fixtures/", import.meta.url)

/** Without the recordings the test is skipped. In CI it fails. */
export const fixture = (context: TestContext, file: `${string}/${string}.json`): unknown => {
  if (!existsSync(folder) && process.env["CI"] === undefined) {
    context.skip("The recorded traffic in ../shared/fixtures is absent")
  }
  return JSON.parse(readFileSync(new URL(file, folder), "utf8"))
}
