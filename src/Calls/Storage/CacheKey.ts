import { hash } from "node:crypto"
import { type Bounds, textOfBounds } from "../../Domain/Bounds.ts"
import type { Connection } from "../../Domain/Connection.ts"

export class CacheKey {
  readonly connection: Connection
  readonly requestHash: Buffer

  /** Calls under different bounds share no response. */
  constructor(connection: Connection, target: string, input: unknown, bounds?: Bounds) {
    this.connection = connection
    // The first line is the version of this format. Increase it when the format changes.
    const bound = bounds === undefined ? "" : `\n${textOfBounds(bounds)}`
    this.requestHash = hash("sha256", `2\n${target}\n${canonicalJson(input)}${bound}`, "buffer")
  }

  get name(): string {
    return `${this.connection.id} ${this.requestHash.toString("base64")}`
  }
}

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
