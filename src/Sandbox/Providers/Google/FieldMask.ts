import { Effect, Result } from "effect"
import { applyFieldMask, parseFieldMask } from "../Gsheets/Engine/FieldMask.ts"
import type { GoogleError } from "./GoogleError.ts"

/**
 * A partial response, as the parameter `fields` asks for it: `rows(keys,clicks),metadata/x`. A name that the value does
 * not have selects nothing.
 */
export const project = (fields: string, value: unknown): Effect.Effect<unknown, GoogleError> =>
  Effect.fromResult(Result.map(parseFieldMask(fields), (mask) => applyFieldMask(mask, value)))
