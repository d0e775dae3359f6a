import { createRequire } from "node:module"
import { runOa } from "./Cli/Oa.ts"

/** Read at run time, because the JavaScript of the package is in another folder. */
const { description, version }: { readonly description: string; readonly version: string } = createRequire(
  import.meta.url
)("../package.json")

runOa({ description, version })
