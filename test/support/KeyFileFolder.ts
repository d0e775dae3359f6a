import { Effect } from "effect"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { keyFile } from "./ServiceAccountFile.ts"
import { tempFolder } from "./TempFolder.ts"

/** The path of a service account's key file. */
export const KeyFilePath = Effect.flatMap(tempFolder, (folder) => {
  const path = join(folder, "key.json")
  return Effect.as(Effect.promise(() => writeFile(path, JSON.stringify(keyFile))), path)
})
