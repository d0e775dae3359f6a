import { execFileSync } from "node:child_process"

export interface GeneratedFile {
  readonly path: string
  readonly source: string
}

export const formatted = (path: string, source: string): GeneratedFile => ({
  path,
  source: execFileSync("dprint", ["fmt", "--stdin", path], { input: source, encoding: "utf8" })
})
