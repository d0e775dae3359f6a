import { copyFileSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import packageJson from "../../package.json" with { type: "json" }
import { root } from "./Shipped.ts"

/** An export of a module beside its declarations. */
export const entryOf = (name: string) => ({ types: `./${name}.d.ts`, default: `./${name}.js` })

/** Begins a further package in `dist`, with the version and licence of this one. Returns its folder. */
export const ownPackage = (
  { name, readme, ...manifest }: { readonly name: string; readonly readme: string; readonly [field: string]: unknown }
): string => {
  const { license, publishConfig, version } = packageJson
  const folder = join(root, "dist", name)
  mkdirSync(folder, { recursive: true })
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"))
  copyFileSync(join(root, readme), join(folder, "README.md"))
  const fields = { name, version, license, publishConfig, type: "module", ...manifest }
  writeFileSync(join(folder, "package.json"), JSON.stringify(fields, null, 2))
  return folder
}
