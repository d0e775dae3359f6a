import { existsSync, readFileSync } from "node:fs"
import type { TestContext } from "vitest"

/** Recorded provider traffic. It lies beside the project, for its licences do not let it be part of it. */
const folder = new URL("../../../shared/fixtures/", import.meta.url)

/** A recording, parsed. Where the recordings are absent the test is skipped, but fails in CI. */
export const fixture = (context: TestContext, file: `${string}/${string}.json`): unknown => {
  if (!existsSync(folder) && process.env["CI"] === undefined) {
    context.skip("The recorded traffic in ../shared/fixtures is absent")
  }
  return JSON.parse(readFileSync(new URL(file, folder), "utf8"))
}
