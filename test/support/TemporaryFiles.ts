import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Gives a run a folder of its own for temporary files, and removes it after the run: servers that files share stay open. */
export const setup = (): () => void => {
  const outer = tmpdir()
  const folder = mkdtempSync(join(outer, "openaccounts-run-"))
  // Postgres reads files of it as another user, where the tests run as root.
  chmodSync(folder, 0o711)
  process.env["TMPDIR"] = folder
  return () => {
    process.env["TMPDIR"] = outer
    rmSync(folder, { recursive: true, force: true })
  }
}
