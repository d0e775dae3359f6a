import { hash } from "node:crypto"

/**
 * The entries of `ENCRYPTION_KEYS`, each with its id and a hash of its text. They show whether a service has the keys
 * that a backup without keys needs.
 */
export const keyDigests = (keys: string): ReadonlyArray<{ readonly id: string; readonly digest: string }> =>
  keys.split(",").map((entry) => entry.trim()).filter((entry) => entry !== "").map((entry) => ({
    id: entry.slice(0, entry.indexOf(":")),
    digest: hash("sha256", entry, "base64url")
  }))
