import { existsSync, readFileSync } from "node:fs"

/** Specifications and recordings that cannot be part of the project. */
const folder = new URL("../../../shared/", import.meta.url)

export const readReference = (path: string): string => readFileSync(new URL(path, folder), "utf8")

/** For `describe.skipIf` and its title: empty if the path exists, and in CI, where it must exist. */
export const absenceOf = (path: string): string =>
  existsSync(new URL(path, folder)) || process.env["CI"] !== undefined ? "" : ` (skipped: ../shared/${path} is absent)`
