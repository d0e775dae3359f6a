import { existsSync, readFileSync } from "node:fs"

/** Specifications and recordings that the project is tested against and may not contain. */
const folder = new URL("../../../shared/", import.meta.url)

export const readReference = (path: string): string => readFileSync(new URL(path, folder), "utf8")

/** For `describe.skipIf` and its title: empty where the path exists, and in CI, where it has to exist. */
export const absenceOf = (path: string): string =>
  existsSync(new URL(path, folder)) || process.env["CI"] !== undefined ? "" : ` (skipped: ../shared/${path} is absent)`
