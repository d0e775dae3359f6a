import { Schema } from "effect"
import type { JsonText } from "../../Domain/Json/JsonText.ts"
import { Document } from "./Responses.ts"

/** In bytes: decoding takes 25 ms for a million. */
const maxBytesInProcess = 500_000

export const isLong = (json: JsonText): boolean => json.exceedsBytes(maxBytesInProcess)

export const decodeDocument = Schema.decodeUnknownOption(Document)
