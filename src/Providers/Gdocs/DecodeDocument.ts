import { Schema } from "effect"
import type { JsonText } from "../../Domain/JsonText.ts"
import { Document } from "./Responses.ts"

/** In characters: decoding takes 25 ms for a million. */
const maxLengthInProcess = 500_000

export const isLong = ({ text }: JsonText): boolean => text.length > maxLengthInProcess

export const decodeDocument = Schema.decodeUnknownOption(Document)
