import { Schema } from "effect"
import type { JsonText } from "../../Domain/Json/JsonText.ts"
import { Document } from "./Responses.ts"

/** The longest document that is decoded on the main thread, in bytes. A million takes 25 ms. */
const maxBytesInProcess = 500_000

export const isLong = (json: JsonText): boolean => json.exceedsBytes(maxBytesInProcess)

export const decodeDocument = Schema.decodeUnknownOption(Document)
