/**
 * Generates the schemas of the large Google request messages from a folder of discovery documents:
 *
 *     node scripts/generateSchemas.ts <folder of discovery documents>
 */
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { readDocument } from "./schemas/Discovery.ts"
import { emitModule } from "./schemas/Emit.ts"
import { modules } from "./schemas/Modules.ts"

const folder = process.argv[2]
if (folder === undefined) throw new Error("Expected the folder of the discovery documents as an argument")

for (const module of modules) writeFileSync(module.output, emitModule(readDocument(folder, module.document), module))
execFileSync("dprint", ["fmt", ...modules.map(({ output }) => output)], { stdio: "inherit" })
