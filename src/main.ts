import { createRequire, enableCompileCache } from "node:module"
import { join } from "node:path"

// Before the other modules: compiling them takes most of the time of a start. Has no effect where the folder cannot be
// written.
enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/openaccounts"))

/** At run time, because the JavaScript of the package is in another folder. */
const { description, version }: { readonly description: string; readonly version: string } = createRequire(
  import.meta.url
)("../package.json")

const { runOa } = await import("./Cli/Oa.ts")

runOa({ description, version })
