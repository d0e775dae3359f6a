import type { Schema } from "effect"
import type { TextFormat } from "../../Webhooks/TextFormats.ts"
import type { alertFormats } from "../Declared.ts"
import type { Fact, Notice } from "../Notices/Notice.ts"

export interface AlertFormat extends Pick<TextFormat, "refusal" | "target" | "waitOf"> {
  readonly name: typeof alertFormats[number]
  readonly payload: (notice: Notice, url: URL) => Schema.Json
}

export const formatNamed = (
  name: AlertFormat["name"],
  parts: Pick<AlertFormat, "payload"> & Partial<AlertFormat>
): AlertFormat => ({ refusal: () => undefined, target: (url) => url, waitOf: () => undefined, ...parts, name })

export const textOfFacts = (facts: ReadonlyArray<Fact>): string =>
  facts.map(({ name, value }) => `${name}: ${value}`).join("\n")
