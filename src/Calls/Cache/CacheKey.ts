import { hash } from "node:crypto"
import { type Bounds, textOfBounds } from "../../Domain/Access/Bounds.ts"
import type { Connection } from "../../Domain/Connection.ts"
import { canonicalJson } from "../../Domain/Json/CanonicalJson.ts"

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
