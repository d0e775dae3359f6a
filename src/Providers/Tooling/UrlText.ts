import { Array } from "effect"
import { equalsText, includesText } from "./FilterNotes.ts"

const decoded = (text: string): string =>
  text.replace(/(?:%[89a-f][\da-f])+/gi, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString())

const encoded = (text: string): string => text.toWellFormed().replace(/[^!-~]+/g, encodeURIComponent)

/** How URLs of reports can spell `text`, in any case: with spaces and letters such as `ü` percent-encoded or not. */
export const urlSpellings = (text: string): ReadonlyArray<string> => {
  const readable = decoded(text)
  return Array.dedupeWith([text, readable, encoded(readable), encoded(readable.toLowerCase())], equalsText)
}

export const includesUrlText = (text: string) => {
  const spellings = urlSpellings(text)
  return (url: string): boolean => spellings.some((spelling) => includesText(url, spelling))
}
