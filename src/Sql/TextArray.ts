import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

/** A `text[]` parameter, which may be empty. */
export const textArray = (values: ReadonlyArray<string>): PgTypes.Parameter =>
  Result.getOrThrow(PgTypes.array(values, PgTypes.OID.text))
