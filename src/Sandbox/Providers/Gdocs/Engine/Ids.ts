import { createHash } from "node:crypto"

/** Makes the ids of one document's parts: the same ones for the same changes. */
export interface Ids {
  readonly next: (prefix: "kix." | "h." | "t.") => string
  readonly minted: () => number
}

export const makeIds = (documentId: string, minted: number): Ids => {
  let count = minted
  return {
    next: (prefix) => `${prefix}${digest(`${documentId} ${++count}`).slice(0, 12)}`,
    minted: () => count
  }
}

export const revisionId = (documentId: string, revision: number): string =>
  `ALm37B${digest(`${documentId} revision ${revision}`)}`

const digest = (text: string): string =>
  BigInt(`0x${createHash("sha256").update(text).digest("hex")}`).toString(36).padStart(50, "0")
