import { PGlite } from "@electric-sql/pglite"
import { embeddedOptions } from "./EmbeddedOptions.ts"

const [dataDir] = process.argv.slice(2)

if (dataDir !== undefined) {
  const database = await PGlite.create({ dataDir, ...embeddedOptions })
  await database.close()
}
