/**
 * Generates the types and operations of the client from the tables of the providers, and, with a folder of discovery
 * documents, the types of what Google's endpoints answer:
 *
 *     node scripts/generateClient.ts [folder of discovery documents]
 */
import { writeFileSync } from "node:fs"
import { operationFiles, responseFiles } from "./client/Modules.ts"

const folder = process.argv[2]
for (const { path, source } of [...operationFiles(), ...(folder === undefined ? [] : responseFiles(folder))]) {
  writeFileSync(path, source)
}
