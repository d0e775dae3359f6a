/**
 * Generates the schemas of Google's large request messages and the values of enumerations in its responses from the
 * providers' documents:
 *
 *     PROVIDER_DOCUMENTS=<folder> npm run generate
 *
 * The folder `discovery` in it has Google's discovery documents.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { enumerationsFile } from "./client/Enumerations.ts"
import { schemaFiles } from "./schemas/Modules.ts"

const documents = process.env["PROVIDER_DOCUMENTS"]
if (documents === undefined) throw new Error("Expected the folder of the documents in PROVIDER_DOCUMENTS")

const discovery = join(documents, "discovery")
for (const { path, source } of [...schemaFiles(discovery), enumerationsFile(discovery)]) writeFileSync(path, source)
