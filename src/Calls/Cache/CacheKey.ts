import { hash } from "node:crypto"
import type { Connection } from "../../Domain/Connection.ts"

/** What a response is stored under: who asked what. */
export class CacheKey {
  readonly connection: Connection
  /** SHA-256 that stands for the target and the canonical JSON of the input. */
  readonly requestHash: Buffer

  /**
   * @param target `raw:<endpoint>` or `tool:<name>`
   * @param input the decoded one
   */
  constructor(connection: Connection, target: string, input: unknown) {
    this.connection = connection
    // Numbered by the form of what is stored: versions of the service that know another one do not find it.
    this.requestHash = hash("sha256", `2\n${target}\n${canonicalJson(input)}`, "buffer")
  }

  /** The same for the same question through the same connection, and for no other. */
  get name(): string {
    return `${this.connection.id} ${this.requestHash.toString("base64")}`
  }
}

/** JSON text that is the same for the same value, in whichever order its fields were written. */
export const canonicalJson = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  let fields = ""
  for (const name of Object.keys(value).toSorted()) {
    const field: unknown = Reflect.get(value, name)
    if (field !== undefined) fields += `${fields && ","}${JSON.stringify(name)}:${canonicalJson(field)}`
  }
  return `{${fields}}`
}
