/**
 * Generates the schemas of Google's large request messages and the types of the client from the providers' documents and
 * from the providers' tables:
 *
 *     PROVIDER_DOCUMENTS=<folder> npm run generate
 *
 * The folder `discovery` in it has Google's discovery documents.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { schemaFiles } from "./schemas/Modules.ts"

const documents = process.env["PROVIDER_DOCUMENTS"]
if (documents === undefined) throw new Error("Expected the folder of the documents in PROVIDER_DOCUMENTS")
const discovery = join(documents, "discovery")

const write = (files: ReadonlyArray<{ readonly path: string; readonly source: string }>) => {
  for (const { path, source } of files) writeFileSync(path, source)
}

write(schemaFiles(discovery))
// Imports the tables, so that they have the new schemas.
const { operationFiles, responseFiles } = await import("./client/Modules.ts")
write([...operationFiles(), ...responseFiles(discovery)])
