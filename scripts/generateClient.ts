/**
 * Generates the types and operations of the client from the providers' tables. With a folder of discovery documents,
 * also generates the types of Google's responses:
 *
 *     node scripts/generateClient.ts [folder of discovery documents]
 */
import { writeFileSync } from "node:fs"
import { operationFiles, responseFiles } from "./client/Modules.ts"

const folder = process.argv[2]
for (const { path, source } of [...operationFiles(), ...(folder === undefined ? [] : responseFiles(folder))]) {
  writeFileSync(path, source)
}
