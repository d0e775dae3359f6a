import { formatted, type GeneratedFile } from "../Formatted.ts"
import { readDocument } from "./Discovery.ts"
import { emitModule } from "./Emit.ts"
import type { Module } from "./Rules.ts"
import { ga4 } from "./rules/Ga4.ts"
import { gdocs } from "./rules/Gdocs.ts"
import { gsheets } from "./rules/Gsheets.ts"

const modules: ReadonlyArray<Module> = [ga4, gsheets, gdocs]

export const schemaFiles = (folder: string): ReadonlyArray<GeneratedFile> =>
  modules.map((module) => formatted(module.output, emitModule(readDocument(folder, module.document), module)))
