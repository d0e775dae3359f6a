import { existsSync, readFileSync } from "node:fs"

/** What the project is held against and may not be part of it lies beside it. */
const folder = new URL("../../../shared/", import.meta.url)

export const readBeside = (path: string): string => readFileSync(new URL(path, folder), "utf8")

/**
 * For `describe.skipIf`, and for the title of what it skips: empty where the path is there. In CI it has to be there.
 */
export const absenceOf = (path: string): string =>
  existsSync(new URL(path, folder)) || process.env["CI"] !== undefined ? "" : ` (skipped: ../shared/${path} is absent)`
