import type { Module } from "./Rules.ts"
import { ga4 } from "./rules/Ga4.ts"
import { gdocs } from "./rules/Gdocs.ts"
import { gsheets } from "./rules/Gsheets.ts"

export const modules: ReadonlyArray<Module> = [ga4, gsheets, gdocs]
