/**
 * Generates the schemas of Google's large request messages from the providers' documents:
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

for (const { path, source } of schemaFiles(join(documents, "discovery"))) writeFileSync(path, source)
