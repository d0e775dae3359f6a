import { PGlite, type PGliteOptions } from "@electric-sql/pglite"

/** Postgres' default of 128 MB takes 130 MB more memory and is not faster. */
const buffers = "shared_buffers=16MB"

export const embeddedOptions: PGliteOptions = {
  startParams: [...PGlite.defaultStartParams, "-c", buffers],
  initDbStartParams: ["--set", buffers]
}
