/**
 * Writes the schemas of the large Google request messages from the discovery documents in a folder:
 *
 *     node scripts/generateSchemas.ts <folder of discovery documents>
 */
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { readDocument } from "./schemas/Discovery.ts"
import { emit } from "./schemas/Emit.ts"
import { modules } from "./schemas/Modules.ts"

const folder = process.argv[2]
if (folder === undefined) throw new Error("Name the folder of the discovery documents")

for (const module of modules) writeFileSync(module.output, emit(readDocument(folder, module.document), module))
execFileSync("dprint", ["fmt", ...modules.map(({ output }) => output)], { stdio: "inherit" })
