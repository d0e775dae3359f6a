import { readFileSync } from "node:fs"
import { join } from "node:path"

/** Material of others that cannot be part of the project. An environment variable names its folder. */
export interface OutsideFolder {
  readonly isAbsent: boolean
  /** For titles of tests that are skipped without the folder. */
  readonly absence: string
  readonly path: (...names: ReadonlyArray<string>) => string
  readonly read: (...names: ReadonlyArray<string>) => string
}

const outsideFolder = (variable: string): OutsideFolder => {
  const folder = process.env[variable] ?? ""
  const path = (...names: ReadonlyArray<string>) => join(folder, ...names)
  return {
    isAbsent: folder === "",
    absence: folder === "" ? ` (skipped: ${variable} names no folder)` : "",
    path,
    read: (...names) => readFileSync(path(...names), "utf8")
  }
}

/** Recorded traffic of the providers. */
export const recordedTraffic = outsideFolder("RECORDED_TRAFFIC")

/** Specifications of the providers. Its folder `discovery` has Google's discovery documents. */
export const providerDocuments = outsideFolder("PROVIDER_DOCUMENTS")
